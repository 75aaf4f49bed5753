import { useEffect, useRef, useState } from 'preact/hooks'
import type { SessionFeed } from '../state/session-feed.ts'
import { announce } from '../state/workspace.ts'
import { outcomeText } from '../text/outcome-text.ts'
import { useAction } from './action.ts'
import { CommandLine } from './command-line.tsx'

/** What runs in a sandbox, as it is written, and a line to run commands. */
export function TerminalView({
  feed,
  mayOperate,
}: {
  readonly feed: SessionFeed
  readonly mayOperate: boolean
}) {
  const box = useRef<HTMLDivElement>(null)
  const [failure, setFailure] = useState<string | undefined>(undefined)
  const { isBusy, problem, run } = useAction()
  const isLive = feed.isLive.value
  const running = feed.executions.value.filter(({ state }) => state === 'running')

  useEffect(() => {
    let close: (() => void) | undefined
    let isShown = true
    const open = async () => {
      try {
        // xterm.js is loaded with the first terminal.
        const { openScreen } = await import('../terminal/screen.ts')
        if (isShown && box.current !== null) close = openScreen(box.current, feed)
      } catch (error) {
        setFailure(`The terminal cannot be loaded: ${String(error)}`)
      }
    }
    void open()
    return () => {
      isShown = false
      close?.()
    }
  }, [feed])

  useEffect(
    () =>
      feed.listen((event) => {
        if (event.type === 'problem') setFailure(event.problem.detail)
        if (event.type === 'started') setFailure(undefined)
        if (event.type === 'ended') announce(`Command ended: ${outcomeText(event.execution)}.`)
      }),
    [feed],
  )
  return (
    <div class="terminal">
      <div class="screen" ref={box} />
      {(failure ?? problem) !== undefined && (
        <p class="problem" role="alert">
          {failure ?? problem}
        </p>
      )}
      {mayOperate ? (
        <CommandLine
          isLive={isLive}
          history={feed.executions.value}
          onRun={(command) => feed.run(command)}
          onStop={
            running.length === 0
              ? undefined
              : () => run(async () => void (await Promise.all(running.map(({ id }) => feed.stop(id)))))
          }
          isStopping={isBusy}
        />
      ) : (
        <p class="hint">This token may look on. Running commands needs the scope operate.</p>
      )}
    </div>
  )
}
