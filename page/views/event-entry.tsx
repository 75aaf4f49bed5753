import type { TimelineEvent } from '../state/session-feed.ts'
import { bytes, clockTime, dateTime, duration } from '../text/format.ts'
import { visible } from '../text/visible.ts'

/** One event of a timeline that is no command. */
export function EventEntry({ event }: { readonly event: TimelineEvent }) {
  const { title, detail, tone } = told(event)
  return (
    <li class="entry" data-kind="event" data-tone={tone}>
      <time class="entry-time" dateTime={new Date(event.time).toISOString()} title={dateTime(event.time)}>
        {clockTime(event.time)}
      </time>
      <div class="entry-body">
        <span class="entry-title">{title}</span> <span class="entry-detail">{visible(detail)}</span>
      </div>
    </li>
  )
}

/** An event in words. */
interface Told {
  readonly title: string
  /** What may come from an agent. */
  readonly detail: string
  readonly tone: 'plain' | 'bad'
}

function told(event: TimelineEvent): Told {
  switch (event.kind) {
    case 'egress':
      return {
        title: event.allowed ? 'Request' : 'Request refused',
        detail: joined(event.method, event.url, event.allowed ? undefined : event.reason),
        tone: event.allowed ? 'plain' : 'bad',
      }
    case 'egressEnd':
      return {
        title: event.status === undefined ? 'Request failed' : `Answer ${event.status}`,
        detail: joined(
          event.method,
          event.url,
          `${bytes(event.sent)} sent, ${bytes(event.received)} received in ${duration(event.duration)}`,
          event.reason,
        ),
        tone: event.status === undefined ? 'bad' : 'plain',
      }
    case 'policy':
      return {
        title: policyText[event.verdict] ?? event.verdict,
        detail: joined(event.call, event.subject, event.reason),
        tone: event.verdict === 'deny' ? 'bad' : 'plain',
      }
    case 'file':
      return {
        title: `File: ${event.operation}`,
        detail: joined(
          event.path,
          event.to && `to ${event.to}`,
          event.bytes && bytes(event.bytes),
          event.error,
        ),
        tone: event.error === undefined ? 'plain' : 'bad',
      }
    case 'conflict':
      return {
        title: 'Conflict',
        detail: joined(event.path, event.kept && `the other version is ${event.kept}`),
        tone: 'bad',
      }
    case 'lost':
      return { title: 'Session lost', detail: String(event.reason), tone: 'bad' }
    case 'rejected':
      return { title: 'Opening failed', detail: String(event.reason), tone: 'bad' }
    case 'storeFailed':
      return { title: 'The store failed', detail: joined(event.operation, String(event.reason)), tone: 'bad' }
    case 'hibernated':
      return { title: 'Session stored', detail: String(event.reason), tone: 'plain' }
    case 'opened':
    case 'reopened':
    case 'woken':
      return { title: sessionText[event.kind], detail: `in ${duration(event.durationMs)}`, tone: 'plain' }
  }
}

const policyText: Readonly<Record<string, string>> = {
  deny: 'Denied by the policy',
  run: 'Run by the policy',
  approved: 'Approved',
}
const sessionText = {
  opened: 'Session opened',
  reopened: 'Session opened again',
  woken: 'Session woken',
} as const

function joined(...parts: readonly (string | false | 0 | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== 0 && part !== '').join(' · ')
}
