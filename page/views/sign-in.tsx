import { useEffect, useId, useRef, useState } from 'preact/hooks'

/** Asks for a token. */
export function SignIn({
  problem,
  isBusy,
  onToken,
}: {
  /** Why the token before was refused. */
  readonly problem: string | undefined
  readonly isBusy: boolean
  readonly onToken: (token: string) => void
}) {
  const [token, setToken] = useState('')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '') onToken(token.trim())
        }}
      >
        <h1>strands-shell-runtime</h1>
        <label for={`${id}-token`}>Token of the service</label>
        <input
          ref={field}
          id={`${id}-token`}
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          aria-describedby={`${id}-help ${id}-problem`}
          aria-invalid={problem !== undefined}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <p id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </p>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Asking…' : 'Show sandboxes'}
        </button>
        <p id={`${id}-help`} class="hint">
          <code>serve</code> says where its token is. This tab keeps the token until it is closed.
        </p>
      </form>
    </main>
  )
}
