import { useState } from 'preact/hooks'
import type { ExecutionData } from '../../src/protocol/execution-schemas.ts'
import { now } from '../state/clock.ts'
import { clockTime, dateTime, duration } from '../text/format.ts'
import { plainOutput, visible } from '../text/visible.ts'
import { useAction } from './action.ts'
import { Outcome } from './outcome.tsx'

/** Lines of output that are shown at first: of the newest command, and of those before. */
const linesOfNewest = 16
const linesOfOlder = 4

/** One command of a timeline. */
export function ExecutionEntry({
  execution,
  isNewest,
  onStop,
}: {
  readonly execution: ExecutionData
  readonly isNewest: boolean
  /** Undefined where the token may stop none. */
  readonly onStop: ((execution: string) => Promise<void>) | undefined
}) {
  const { id, command, language, by, startedAt, state, durationMs } = execution
  const { isBusy, problem, run } = useAction()
  return (
    <li class="entry" data-kind="execution">
      <time class="entry-time" dateTime={new Date(startedAt).toISOString()} title={dateTime(startedAt)}>
        {clockTime(startedAt)}
      </time>
      <div class="entry-body">
        <div class="entry-head">
          <Outcome execution={execution} />
          <span class="hint">
            {duration(durationMs ?? Math.max(0, now.value - startedAt))} · {visible(by)}
            {language === undefined ? '' : ` · ${visible(language)}`}
          </span>
          {state === 'running' && onStop !== undefined && (
            <button type="button" class="small" disabled={isBusy} onClick={() => run(() => onStop(id))}>
              Stop
            </button>
          )}
        </div>
        <pre class="command">{visible(command)}</pre>
        <Output execution={execution} most={isNewest ? linesOfNewest : linesOfOlder} />
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </li>
  )
}

/** The end of what a command has written. */
function Output({ execution, most }: { readonly execution: ExecutionData; readonly most: number }) {
  const { cut } = execution
  const [isWhole, setWhole] = useState(false)
  const streams = [
    ['stdout', plainOutput(execution.stdout)],
    ['stderr', plainOutput(execution.stderr)],
  ] as const
  const lines = Math.max(
    ...streams.map(([, text]) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)),
  )
  return (
    <>
      {streams.map(
        ([name, text]) =>
          text !== '' && (
            <pre key={name} class="output" data-stream={name} title={name}>
              {isWhole ? text : lastLines(text, most)}
            </pre>
          ),
      )}
      {(lines > most || cut) && (
        <p class="output-more">
          {lines > most && (
            <button type="button" class="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Show less' : `Show all ${lines} lines`}
            </button>
          )}
          {cut && <span class="hint">There was more output: the service keeps its end.</span>}
        </p>
      )}
    </>
  )
}

function lastLines(text: string, most: number): string {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.slice(-most).join('\n')
}
