import type { ServiceClient } from '../service/service-client.ts'
import { announce } from '../state/workspace.ts'
import { visible } from '../text/visible.ts'
import { useAction } from './action.ts'
import { Dialog } from './dialog.tsx'

/** Asks whether a sandbox is to be closed, and closes it. */
export function CloseSandbox({
  client,
  id,
  onDone,
}: {
  readonly client: ServiceClient
  readonly id: string
  readonly onDone: () => void
}) {
  const { isBusy, problem, run } = useAction()
  const close = () =>
    run(async () => {
      await client.close(id)
      announce(`The sandbox ${id} is closed.`)
      onDone()
    })
  return (
    <Dialog title={`Close ${visible(id)}?`} onCancel={onDone}>
      <p>Commands that run are stopped. Files, variables and what is stored of the sandbox are deleted.</p>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="dialog-buttons">
        <button type="button" onClick={onDone}>
          Keep it
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={close}>
          Close it for good
        </button>
      </div>
    </Dialog>
  )
}
