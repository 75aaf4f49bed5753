import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import type { ExecutionData } from '../../src/protocol/execution-schemas.ts'
import type { SessionFeed } from '../state/session-feed.ts'
import { outcomeText } from '../text/outcome-text.ts'
import { visible } from '../text/visible.ts'
import { BoundedWriter } from './bounded-writer.ts'

/** Lines that can be scrolled back to. */
const scrollback = 5_000
/** Commands before that are shown when a terminal is opened. */
const shownBefore = 20

/** Colours, the alternate screen, the cursor and modes as they are at first: what a command has set ends with it. */
const RESET = '\x1b[!p\x1b[?47l\x1b[?25l\x1b[0m'
const DIM = '\x1b[2m'
const BOLD = '\x1b[1m'

/**
 * Shows what runs in a sandbox. What commands write moves the cursor of this terminal and nothing else: its answers, links and
 * titles go nowhere.
 *
 * @returns how to close it
 */
export function openScreen(box: HTMLElement, feed: SessionFeed): () => void {
  const terminal = new Terminal({
    convertEol: true,
    cursorBlink: false,
    cursorInactiveStyle: 'none',
    disableStdin: true,
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSize: 13,
    linkHandler: { activate: () => undefined },
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    scrollback,
    theme: themeOf(box),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(box)
  fit.fit()
  const writer = new BoundedWriter(terminal)
  const writeWhole = (execution: ExecutionData) => {
    writer.write(headOf(execution))
    if (execution.cut) writer.write(`${DIM}(the end of the output)\x1b[0m\n`)
    writer.write(execution.stdout + execution.stderr)
    if (execution.state !== 'running') writer.writeLine(endOf(execution))
  }
  let isRead = false
  const stopReading = feed.reads.subscribe((reads) => {
    if (reads === 0) return
    terminal.reset()
    isRead = true
    for (const execution of feed.latest().slice(-shownBefore)) writeWhole(execution)
  })
  const stopListening = feed.listen((event) => {
    // The executions are read again, and then written.
    if (event.type === 'ready') isRead = false
    if (!isRead) return
    if (event.type === 'started') writer.write(headOf(event.execution))
    if (event.type === 'output') writer.write(event.data)
    if (event.type === 'ended') writer.writeLine(endOf(event.execution))
  })
  const observer = new ResizeObserver(() => fit.fit())
  observer.observe(box)
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const recolour = () => {
    terminal.options.theme = themeOf(box)
  }
  dark.addEventListener('change', recolour)
  return () => {
    stopReading()
    stopListening()
    observer.disconnect()
    dark.removeEventListener('change', recolour)
    terminal.dispose()
  }
}

function headOf({ command, by }: ExecutionData): string {
  return `${RESET}${BOLD}$ ${visible(command)}\x1b[0m ${DIM}${visible(by)}\x1b[0m\n`
}

function endOf(execution: ExecutionData): string {
  const isGood = execution.state === 'ended' && execution.exitCode === 0
  return `${RESET}${isGood ? '\x1b[32m' : '\x1b[31m'}${visible(outcomeText(execution))}\x1b[0m\n`
}

function themeOf(box: HTMLElement): ITheme {
  const { color, backgroundColor } = getComputedStyle(box)
  return { foreground: color, background: backgroundColor, cursor: backgroundColor }
}
