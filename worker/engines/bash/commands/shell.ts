import type { CommandContext } from '../just-bash.ts'
import { runChild } from '../session/child.ts'
import type { Interpreter } from '../session/session.ts'
import { decode } from '../text/bytes.ts'
import { type Answer, done, failed, type OwnCommand, reason } from './command.ts'

const VERSION = `GNU bash, version 5.2.37(1)-release (x86_64-pc-linux-gnu)
Copyright (C) 2022 Free Software Foundation, Inc.
License GPLv3+: GNU GPL version 3 or later <http://gnu.org/licenses/gpl.html>

This is free software; you are free to change and redistribute it.
There is NO WARRANTY, to the extent permitted by law.
`

interface ShellArguments {
  readonly options: string[]
  command: boolean
  readStdin: boolean
  rest: string[]
}

/** Reads what comes before the script: `-euo pipefail -c`. */
function readArguments(args: readonly string[]): ShellArguments | string {
  const found: ShellArguments = { options: [], command: false, readStdin: false, rest: [] }
  let at = 0
  for (; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    if (arg === '--' || arg === '-') {
      at += 1
      break
    }
    if (arg === '--version') return VERSION
    if (arg.startsWith('--')) continue
    if (!/^[-+]./.test(arg)) break
    for (const letter of arg.slice(1)) {
      if (letter === 'c') found.command = true
      else if (letter === 's') found.readStdin = true
      else if (letter === 'o' || letter === 'O') {
        at += 1
        if (letter === 'o') found.options.push(args[at] ?? '')
      } else if (arg.startsWith('-') && !'li'.includes(letter)) found.options.push(letter)
    }
  }
  found.rest = args.slice(at)
  return found
}

async function runShell(
  name: string,
  args: readonly string[],
  context: CommandContext,
  interpreter: Interpreter,
): Promise<Answer> {
  const found = readArguments(args)
  if (typeof found === 'string') return done(found)
  const { options, command, readStdin, rest } = found
  if (command) {
    const [text, zero = name, ...words] = rest
    if (text === undefined) return failed(name, '-c: option requires an argument', 2)
    // just-bash gives `bash` for it.
    if (zero === '' && /\$\{?0/.test(text)) return failed(name, '$0 without text is not known here', 2)
    return runChild(interpreter, context, { text, words: [zero, ...words], options, origin: 'inline' })
  }
  const [path, ...words] = rest
  if (path === undefined || readStdin) {
    const text = decode(String(context.stdin))
    return runChild(interpreter, context, {
      text,
      words: [name, ...(readStdin ? rest : [])],
      options,
      origin: 'input',
      stdin: '',
    })
  }
  const text = await readScript(path, context)
  if (typeof text !== 'string') return text
  return runChild(interpreter, context, { text, words: [path, ...words], options, origin: 'file' })
}

async function readScript(path: string, context: CommandContext): Promise<string | Answer> {
  const full = context.fs.resolvePath(context.cwd, path)
  try {
    if ((await context.fs.stat(full)).isDirectory) return failed('bash', `${path}: Is a directory`, 126)
    return await context.fs.readFile(full)
  } catch (error) {
    return failed('bash', `${path}: ${reason(error)}`, 127)
  }
}

export const bash: OwnCommand = {
  name: 'bash',
  run: (args, context, on) => runShell('bash', args, context, on),
}
export const sh: OwnCommand = { name: 'sh', run: (args, context, on) => runShell('sh', args, context, on) }
