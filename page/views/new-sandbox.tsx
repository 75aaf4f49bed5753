import { useId, useState } from 'preact/hooks'
import { show } from '../state/route.ts'
import type { Workspace } from '../state/workspace.ts'
import { useAction } from './action.ts'
import { Dialog } from './dialog.tsx'

/** Opens a sandbox. */
export function NewSandbox({
  workspace,
  onDone,
}: {
  readonly workspace: Workspace
  readonly onDone: () => void
}) {
  const { client, self } = workspace
  const [template, setTemplate] = useState(self.templates[0]?.name ?? 'default')
  const [name, setName] = useState('')
  const { isBusy, problem, run } = useAction()
  const id = useId()
  const open = () =>
    run(async () => {
      const sandbox = await client.open(template, name)
      onDone()
      show({ view: 'session', id: sandbox.id, tab: 'terminal' })
    })
  return (
    <Dialog title="New sandbox" onCancel={onDone}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          open()
        }}
      >
        <label for={`${id}-template`}>Template</label>
        <select
          id={`${id}-template`}
          value={template}
          onChange={({ currentTarget }) => setTemplate(currentTarget.value)}
        >
          {self.templates.map(({ name: each, shell }) => (
            <option key={each} value={each}>
              {each} ({shell})
            </option>
          ))}
        </select>
        <label for={`${id}-name`}>Id</label>
        <input
          id={`${id}-name`}
          placeholder="made by the service"
          maxLength={80}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="dialog-buttons">
          <button type="button" onClick={onDone}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? 'Opening…' : 'Open'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
