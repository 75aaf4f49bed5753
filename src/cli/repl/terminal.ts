import { createInterface, type Interface } from 'node:readline'
import { WorkerLostError } from '../../sandbox/errors.ts'
import { describeFailure, PROGRAM } from '../failure.ts'
import type { Outputs } from '../output.ts'
import { complete, type Directories } from './completion.ts'
import { converse, type Draft, type Stop } from './converse.ts'
import { dialects } from './dialect.ts'
import { History, historyPath, MAX_LINES } from './history.ts'
import type { ReplShell } from './shell.ts'

/** Reads commands from a terminal, with editing, completion and a history; gives the exit code. */
export async function atTerminal(
  shell: ReplShell,
  directories: Directories,
  outputs: Outputs,
  keepsHistory: boolean,
  stop?: Stop,
): Promise<number> {
  const { stdout, stderr } = outputs
  const { home } = dialects[directories.shell]
  await stdout.write('Commands of the sandbox; Tab completes, Ctrl-C interrupts, Ctrl-D ends.\n')
  const warnings: string[] = []
  const history = keepsHistory
    ? await History.open(historyPath(), (problem) => warnings.push(`${PROGRAM}: ${problem}\n`))
    : undefined
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    terminal: true,
    history: [...(history?.lines ?? [])].reverse(),
    historySize: MAX_LINES,
    completer: completerOf(shell, directories),
  })
  let closed = false
  terminal.once('close', () => {
    closed = true
  })
  const draft: Draft = { text: '' }
  terminal.on('SIGINT', () => interrupt(terminal, shell, draft, home))
  const prompt = async (kind: 'new' | 'more') => {
    for (const warning of warnings.splice(0)) await stderr.write(warning)
    if (closed) return
    terminal.setPrompt(kind === 'more' ? '> ' : `${shown(await shell.directory(), home)} $ `)
    terminal.prompt(true)
  }
  try {
    return await converse(
      shell,
      {
        lines: kept(terminal, history, draft),
        prompt,
        failed: (error) => stderr.write(`${describeFailure(error)}${sequelOf(error, shell.restores)}`),
      },
      stop,
      draft,
    )
  } finally {
    terminal.close()
    await stdout.write('\n')
  }
}

/** Adds lines to the history; those that go on with a command that is not kept are not kept either. */
async function* kept(
  lines: AsyncIterable<string>,
  history: History | undefined,
  draft: Draft,
): AsyncGenerator<string> {
  let keeps = true
  for await (const line of lines) {
    if (draft.text === '') keeps = !line.startsWith(' ')
    if (keeps) await history?.add(line)
    yield line
  }
}

/** Interrupts the command, or drops what was typed. */
function interrupt(terminal: Interface, shell: ReplShell, draft: Draft, home: string): void {
  if (shell.interrupt()) {
    process.stdout.write('^C\n')
    return
  }
  terminal.write(null, { ctrl: true, name: 'e' })
  terminal.write(null, { ctrl: true, name: 'u' })
  process.stdout.write('^C\n')
  draft.text = ''
  void shell.directory().then((directory) => {
    terminal.setPrompt(`${shown(directory, home)} $ `)
    terminal.prompt()
  })
}

function sequelOf(error: unknown, restores: boolean): string {
  if (!(error instanceof WorkerLostError)) return ''
  if (restores) return '(The next command goes on with the files and variables of the commands before.)\n'
  return '(Its files and variables are gone. The next command has a fresh session.)\n'
}

/** While a command runs the session cannot be asked, and nothing is offered. */
function completerOf(shell: ReplShell, directories: Directories) {
  return (line: string, done: (error: null, found: [string[], string]) => void) => {
    if (shell.busy) done(null, [[], line])
    else void complete(line, directories).then(([candidates, word]) => done(null, [candidates, word]))
  }
}

/** A directory in a prompt: the home is `~`, and what a terminal would obey is left out. */
function shown(directory: string, home: string): string {
  const isInHome = directory === home || directory.startsWith(`${home}/`)
  return (isInHome ? `~${directory.slice(home.length)}` : directory).replaceAll(/\p{C}/gu, '?')
}
