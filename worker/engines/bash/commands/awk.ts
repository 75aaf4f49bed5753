import { type AwkRequest, runAwk } from '../awk/run.ts'
import type { CommandContext } from '../just-bash.ts'
import { decode } from '../text/bytes.ts'
import { type Answer, failed, type OwnCommand, readInput, reason } from './command.ts'

const USAGE = 'usage: awk [-F fs] [-v var=value] [program | -f file] [file ...]'

const LONG: Readonly<Record<string, string>> = { 'field-separator': 'F', assign: 'v', file: 'f', source: 'e' }

/** `-F t` is a tab; a blank and any other character stand for themselves. */
const separator = (value: string) => `FS=${value === 't' ? '\\t' : value}`

async function read(args: readonly string[], context: CommandContext): Promise<AwkRequest | Answer> {
  const assignments: string[] = []
  const programs: string[] = []
  const words = [...args]
  for (let word = words[0]; word !== undefined && /^-./.test(word); word = words[0]) {
    words.shift()
    if (word === '--') break
    const long = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(word)
    const letter = long === null ? (word[1] ?? '') : (LONG[long[1] ?? ''] ?? '')
    if (!'Fvfe'.includes(letter) || letter === '')
      return failed('awk', `option ${word} is not known here\n${USAGE}`, 2)
    const attached = long === null ? word.slice(2) || undefined : long[2]
    const value = attached ?? words.shift()
    if (value === undefined) return failed('awk', `option requires an argument -- ${letter}`, 2)
    if (letter === 'F') assignments.push(separator(value))
    else if (letter === 'v') assignments.push(value)
    else if (letter === 'e') programs.push(value)
    else {
      try {
        programs.push(decode(await readInput(value, context)))
      } catch (error) {
        return failed('awk', `cannot open source file \`${value}' for reading: ${reason(error)}`, 2)
      }
    }
  }
  const source = programs.length > 0 ? programs.join('\n') : words.shift()
  if (source === undefined) return failed('awk', USAGE, 2)
  return { source, assignments, operands: words }
}

/** `awk`, with the functions of gawk that take no other program. */
const named = (name: string): OwnCommand => ({
  name,
  async run(args, context, { stop }) {
    const request = await read(args, context)
    if (!('source' in request)) return request
    return { ...(await runAwk(request, context, () => stop.step())), stdoutKind: 'bytes' }
  },
})

export const awk = named('awk')
export const gawk = named('gawk')
