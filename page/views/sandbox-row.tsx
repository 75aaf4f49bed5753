import type { SandboxData } from '../../src/protocol/sandbox-schemas.ts'
import { slowNow } from '../state/clock.ts'
import { hasFailed, isRunning } from '../state/list-view.ts'
import { ageOf, bytes, memoryText } from '../text/format.ts'
import { visible } from '../text/visible.ts'
import { Labels } from './labels.tsx'
import { Outcome } from './outcome.tsx'

/** One sandbox of the list. */
export function SandboxRow({ sandbox }: { readonly sandbox: SandboxData }) {
  const { id, status, labels, lastCommand, lastUsedAt, createdAt, memory } = sandbox
  return (
    <div class="sandbox-row">
      <div class="row-line">
        <StateDot sandbox={sandbox} />
        <span class="row-id">{visible(id)}</span>
        <Labels labels={labels} />
        <span class="row-end">
          {memory !== undefined && <span title={memoryText(memory)}>{bytes(memory.bytes)}</span>}
          <span class="row-age">{ageOf(lastUsedAt ?? createdAt, slowNow.value)}</span>
        </span>
      </div>
      <div class="row-line row-command">
        {lastCommand === undefined ? (
          <span class="hint">
            {status === 'stored' ? 'stored: wakes at its next command' : 'no command yet'}
          </span>
        ) : (
          <>
            <code>{visible(firstLine(lastCommand.command))}</code>
            <Outcome execution={lastCommand} />
          </>
        )}
      </div>
    </div>
  )
}

/** What state a sandbox is in: by a colour, and by a word. */
export function StateDot({ sandbox }: { readonly sandbox: SandboxData }) {
  const state = isRunning(sandbox) ? 'running' : sandbox.status
  return (
    <span class="state" data-state={state} data-failed={hasFailed(sandbox)}>
      {state}
    </span>
  )
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? ''
}
