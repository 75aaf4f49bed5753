import { useEffect, useRef, useState } from 'preact/hooks'
import type { ExecutionData } from '../../src/protocol/execution-schemas.ts'

/** A line to type commands into. The arrow keys bring earlier ones back; Control and C stop what runs. */
export function CommandLine({
  isLive,
  history,
  onRun,
  onStop,
  isStopping,
}: {
  readonly isLive: boolean
  /** The oldest first. */
  readonly history: readonly ExecutionData[]
  /** @returns false where it was not sent */
  readonly onRun: (command: string) => boolean
  /** Undefined where nothing runs. */
  readonly onStop: (() => void) | undefined
  readonly isStopping: boolean
}) {
  const [text, setText] = useState('')
  /** How many commands back the line has gone. */
  const [back, setBack] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const commands = history.filter(({ language }) => language === undefined).map(({ command }) => command)
  const recall = (to: number) => {
    const kept = Math.max(0, Math.min(commands.length, to))
    setBack(kept)
    setText(kept === 0 ? '' : (commands.at(-kept) ?? ''))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const hasMarked = field.current !== null && field.current.selectionStart !== field.current.selectionEnd
    if (event.key === 'ArrowUp') recall(back + 1)
    else if (event.key === 'ArrowDown') recall(back - 1)
    else if (event.key === 'c' && event.ctrlKey && !hasMarked && onStop !== undefined) onStop()
    else return
    event.preventDefault()
  }
  return (
    <form
      class="command-line"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '' || !onRun(text)) return
        setText('')
        setBack(0)
      }}
    >
      <span aria-hidden="true" class="prompt">
        $
      </span>
      <input
        ref={field}
        aria-label="Command"
        placeholder={isLive ? 'Run a command in this session' : 'Disconnected: trying again'}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" class="primary" disabled={!isLive}>
        Run
      </button>
      <button type="button" class="danger" disabled={onStop === undefined || isStopping} onClick={onStop}>
        Stop
      </button>
    </form>
  )
}
