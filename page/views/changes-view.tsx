import { useEffect, useState } from 'preact/hooks'
import type { ServiceClient } from '../service/service-client.ts'
import type { ChangeData } from '../service/service-data.ts'
import type { SessionFeed } from '../state/session-feed.ts'
import { announce } from '../state/workspace.ts'
import { visible } from '../text/visible.ts'
import { useAction } from './action.ts'
import { FileChange } from './file-change.tsx'

/** What a sandbox did to its binds: to look at, and to write to the host. */
export function ChangesView({
  feed,
  client,
  mayOperate,
}: {
  readonly feed: SessionFeed
  readonly client: ServiceClient
  readonly mayOperate: boolean
}) {
  const [changes, setChanges] = useState<readonly ChangeData[] | undefined>(undefined)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [told, setTold] = useState('')
  const { isBusy, problem, run } = useAction()
  const read = async () => {
    const report = await client.changes(feed.id)
    setChanges(report.changes)
    setChosen(new Set(report.changes.map(({ path }) => path)))
  }
  useEffect(() => run(read), [])
  const apply = () =>
    run(async () => {
      const text = await applyAll(
        client,
        feed.id,
        (changes ?? []).filter(({ path }) => chosen.has(path)),
      )
      setTold(text)
      announce(text)
      await read()
    })
  const toggle = (path: string) => {
    const next = new Set(chosen)
    if (!next.delete(path)) next.add(path)
    setChosen(next)
  }
  return (
    <div class="changes">
      <div class="changes-head">
        <span>{changes === undefined ? 'Reading…' : countText(changes.length)}</span>
        <button type="button" disabled={isBusy} onClick={() => run(read)}>
          Read again
        </button>
        {mayOperate && (changes?.length ?? 0) > 0 && (
          <button type="button" class="primary" disabled={isBusy || chosen.size === 0} onClick={apply}>
            Apply {chosen.size} to the host
          </button>
        )}
        <span class="hint">{told}</span>
      </div>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <ul class="change-list">
        {changes?.map(({ path, change, kind }) => (
          <li key={path} class="change" data-change={change}>
            <div class="change-head">
              {mayOperate && (
                <input
                  type="checkbox"
                  aria-label={`Apply ${path}`}
                  checked={chosen.has(path)}
                  onChange={() => toggle(path)}
                />
              )}
              <span class="change-kind">{change}</span>
              <code>{visible(path)}</code>
              {kind !== 'file' && <span class="hint">{kind}</span>}
            </div>
            {kind === 'file' && <FileChange client={client} id={feed.id} change={change} path={path} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Writes changes to the host, those of each bind together. @returns what came of it */
async function applyAll(client: ServiceClient, id: string, changes: readonly ChangeData[]): Promise<string> {
  let written = 0
  let removed = 0
  const conflicts: string[] = []
  for (const bind of new Set(changes.map((change) => change.bind))) {
    const paths = changes.filter((change) => change.bind === bind).map(({ path }) => path)
    const report = await client.apply(id, bind, paths)
    written += report.written.length
    removed += report.removed.length
    conflicts.push(...report.conflicts.map(({ path }) => path))
  }
  const done = `${written} written, ${removed} removed.`
  return conflicts.length === 0
    ? done
    : `${done} In conflict with the host: ${visible(conflicts.join(', '))}.`
}

function countText(count: number): string {
  if (count === 0) return 'No changes: the sandbox has no bind, or did nothing to it.'
  return count === 1 ? '1 change' : `${count} changes`
}
