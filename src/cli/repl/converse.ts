import { interruptible } from '../../async/interruptible.ts'
import type { ReplShell } from './shell.ts'
import { goesOn } from './unfinished.ts'

/** Where lines are typed. */
export interface Talk {
  readonly lines: AsyncIterable<string>
  /** Asks for a line: a new command, or more of one. */
  prompt(kind: 'new' | 'more'): Promise<void>
  /** Tells of a failure that ends the session, and throws it where that is the end. */
  failed(error: unknown): Promise<void>
}

/** Ends a conversation: its command is interrupted, and its reason is thrown. */
export type Stop = AbortSignal | undefined

/** What Ctrl-C at the prompt leaves: the text that was typed so far is dropped. */
export interface Draft {
  text: string
}

/** Runs what is typed, command after command; gives the exit code. @throws the reason of `stop` */
export async function converse(
  shell: ReplShell,
  talk: Talk,
  stop?: Stop,
  draft: Draft = { text: '' },
): Promise<number> {
  await talk.prompt('new')
  for await (const line of until(stop, talk.lines)) {
    const text = draft.text === '' ? line : `${draft.text}\n${line}`
    const left = draft.text === '' ? leaves(line, shell.exitCode) : undefined
    if (left !== undefined) return left
    draft.text = (await isUnfinished(shell, text, talk)) ? text : ''
    await talk.prompt(draft.text === '' ? 'new' : 'more')
  }
  if (draft.text !== '') await shell.run(draft.text, true).catch((error: unknown) => talk.failed(error))
  return shell.exitCode
}

async function isUnfinished(shell: ReplShell, text: string, talk: Talk): Promise<boolean> {
  if (goesOn(text)) return true
  if (text.trim() === '') return false
  try {
    return (await shell.run(text)) === 'unfinished'
  } catch (error) {
    await talk.failed(error)
    return false
  }
}

/** The exit code that `exit` asks for; undefined for any other line. */
function leaves(line: string, last: number): number | undefined {
  const found = /^\s*exit(?:\s+(\d{1,3}))?\s*;?\s*$/.exec(line)
  if (found === null) return undefined
  return found[1] === undefined ? last : Number(found[1]) & 255
}

/** Lines, until a signal is aborted. What is read then is left alone. */
async function* until(stop: Stop, lines: AsyncIterable<string>): AsyncGenerator<string> {
  const iterator = lines[Symbol.asyncIterator]()
  for (;;) {
    stop?.throwIfAborted()
    const step = await interruptible(iterator.next(), { signal: stop, onAbort: () => stop?.reason })
    if (step.done === true) return
    yield step.value
  }
}
