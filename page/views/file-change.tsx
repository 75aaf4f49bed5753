import { useState } from 'preact/hooks'
import type { ServiceClient } from '../service/service-client.ts'
import type { ChangeData } from '../service/service-data.ts'
import { type DiffLine, diffOf, type FileDiff } from '../state/file-diff.ts'
import { visible } from '../text/visible.ts'
import { useAction } from './action.ts'

/** Lines of a diff that are shown, at most. */
const mostLines = 2_000

const signs = { old: '-', new: '+', both: ' ' } as const

/** What a change makes of a file: read when it is asked for. */
export function FileChange({
  client,
  id,
  change,
  path,
}: {
  readonly client: ServiceClient
  readonly id: string
  readonly change: ChangeData['change']
  readonly path: string
}) {
  const [diff, setDiff] = useState<FileDiff | undefined>(undefined)
  const { isBusy, problem, run } = useAction()
  const toggle = () => {
    if (diff !== undefined) setDiff(undefined)
    else run(async () => setDiff(await diffOf(client, id, path, change)))
  }
  const label = isBusy ? 'Comparing…' : diff === undefined ? 'Show lines' : 'Hide lines'
  return (
    <>
      <button
        type="button"
        class="link"
        aria-expanded={diff !== undefined}
        aria-label={`${label} of ${path}`}
        disabled={isBusy}
        onClick={toggle}
      >
        {label}
      </button>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {diff !== undefined && <Diff diff={diff} />}
    </>
  )
}

function Diff({ diff }: { readonly diff: FileDiff }) {
  if ('reason' in diff) return <p class="hint">{diff.reason}</p>
  const lines = diff.hunks.flatMap((hunk, index) => [...(index === 0 ? [] : ['skip' as const]), ...hunk])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="diff" tabIndex={0} aria-label="Lines that differ">
      {lines.slice(0, mostLines).map((line, index) =>
        line === 'skip' ? (
          <div key={index} class="diff-skip">
            …
          </div>
        ) : (
          <Line key={index} line={line} />
        ),
      )}
      {lines.length > mostLines && <div class="diff-skip">{lines.length - mostLines} further lines</div>}
    </section>
  )
}

function Line({ line: { side, before, after, text } }: { readonly line: DiffLine }) {
  return (
    <div class="diff-line" data-side={side}>
      <span>{before}</span>
      <span>{after}</span>
      <span>{signs[side]}</span>
      <span>{visible(text)}</span>
    </div>
  )
}
