import { useState } from 'preact/hooks'
import type { SessionFeed } from '../state/session-feed.ts'
import { entriesOf, FILTERS, type Filter } from '../state/timeline.ts'
import { EventEntry } from './event-entry.tsx'
import { ExecutionEntry } from './execution-entry.tsx'

/** Entries that are shown at first, and that are added each time. */
const step = 50

const filterText: Readonly<Record<Filter, string>> = {
  all: 'Everything',
  commands: 'Commands',
  network: 'Network',
  policy: 'Policy',
  files: 'Files',
  session: 'Session',
}

/** What has happened in a sandbox, the newest first. */
export function ActivityView({
  feed,
  mayOperate,
}: {
  readonly feed: SessionFeed
  readonly mayOperate: boolean
}) {
  const [filter, setFilter] = useState<Filter>('all')
  const [most, setMost] = useState(step)
  const entries = entriesOf(feed.executions.value, feed.events.value, filter)
  const newest = entries.find(({ kind }) => kind === 'execution')
  return (
    <div class="activity">
      <fieldset class="chips">
        <legend class="unseen">What is shown</legend>
        {FILTERS.map((each) => (
          <label key={each}>
            <input type="radio" name="filter" checked={each === filter} onChange={() => setFilter(each)} />
            {filterText[each]}
          </label>
        ))}
      </fieldset>
      {entries.length === 0 ? (
        <p class="hint">{feed.reads.value === 0 ? 'Reading…' : 'Nothing of this has happened yet.'}</p>
      ) : (
        <ol class="timeline" aria-label="Timeline, the newest first">
          {entries
            .slice(0, most)
            .map((entry) =>
              entry.kind === 'execution' ? (
                <ExecutionEntry
                  key={entry.key}
                  execution={entry.execution}
                  isNewest={entry === newest}
                  onStop={mayOperate ? (execution) => feed.stop(execution) : undefined}
                />
              ) : (
                <EventEntry key={entry.key} event={entry.event} />
              ),
            )}
        </ol>
      )}
      {entries.length > most && (
        <button type="button" class="quiet" onClick={() => setMost(most + step)}>
          Show {Math.min(step, entries.length - most)} older ones
        </button>
      )}
    </div>
  )
}
