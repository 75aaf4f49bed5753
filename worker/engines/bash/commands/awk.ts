import type { CommandContext } from '../just-bash.ts'
import { AwkRefusal, rewriteAwk } from './awk-program.ts'
import { type Answer, failed, readInput, reason } from './command.ts'
import { detach, rewriting } from './wrapper.ts'

/** Variables of awk itself: set by `-v` they have no effect in just-bash. */
const SPECIAL = /^(OFS|ORS|FS|RS|SUBSEP)=(.*)$/s

async function rewrite(
  args: readonly string[],
  context: CommandContext,
): Promise<readonly string[] | Answer> {
  const words = detach(args, 'vFf')
  const options: string[] = []
  const begin: string[] = []
  const programs: string[] = []
  let at = 0
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') {
      at += 1
      break
    }
    if (word === '--version') return failed('awk', 'there is no --version here')
    if (!/^-[vFf]$/.test(word)) {
      if (word.startsWith('-') && word !== '-') options.push(word)
      else break
      continue
    }
    at += 1
    const value = words[at] ?? ''
    const special = word === '-v' ? SPECIAL.exec(value) : null
    if (special !== null) begin.push(`${special[1]}="${(special[2] ?? '').replaceAll('"', '\\"')}"`)
    else if (/^RS=$/.test(value) && word === '-v')
      return failed('awk', 'records of paragraphs, by RS = "", are not known here', 2)
    else if (word === '-f') programs.push(Buffer.from(await readInput(value, context), 'latin1').toString())
    else options.push(word, word === '-F' && /^[|+?*.()]$/.test(value) ? `[${value}]` : value)
  }
  const rest = words.slice(at)
  const program = programs.length > 0 ? programs.join('\n') : rest.shift()
  if (program === undefined)
    return failed('awk', 'usage: awk [-F fs] [-v var=value] [program | -f file] [file ...]', 2)
  const first = begin.length > 0 ? `BEGIN { ${begin.join('; ')} }\n` : ''
  return [...options, '--', first + rewriteAwk(program), ...rest].filter(
    (word, index, all) => word !== '--' || index !== all.indexOf('--'),
  )
}

export const awk = rewriting('awk', async (args, context) => {
  try {
    return await rewrite(args, context)
  } catch (error) {
    return failed('awk', error instanceof AwkRefusal ? error.message : reason(error), 2)
  }
})
