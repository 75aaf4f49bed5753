import type { CommandContext } from '../just-bash.ts'
import { type Answer, failed } from './command.ts'
import { nullSeparated } from './null-separated.ts'
import { rewriting } from './wrapper.ts'

/** What a replacement may hold that just-bash would print as letters. */
const CASE = /s(.)(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\\[ULulE]/s

const edges = (script: string) =>
  script
    .replaceAll(/(?<!\\)((?:\\\\)*)\\[<>]/g, '$1\\b')
    // `1i\text` on one line: just-bash keeps the backslash.
    .replaceAll(/^([ \t]*(?:\d+|\$|\/(?:\\.|[^/\\])*\/)?!?[ \t]*[aic])\\[ \t]*(?=[^\n])/gm, '$1 ')

/** `-z`, alone or among letters. */
const takesNull = (arg: string) => /^-[nErsi]*z[nErs]*$/.test(arg) || arg === '--null-data'

/** `-i.bak`: copies of the files that are changed. */
async function backUp(args: readonly string[], { fs, cwd }: CommandContext): Promise<Answer | undefined> {
  const suffix = args
    .map((arg) => /^(?:-[nErs]*i|--in-place=)(.+)$/.exec(arg)?.[1])
    .find((text) => text !== undefined)
  if (suffix === undefined) return undefined
  if (suffix.includes('*') || suffix.includes('/'))
    return failed('sed', `-i${suffix}: a plain suffix is known only`)
  const hasScript = args.some((arg) => /^-(?:\w*[ef]|e.+)$|^--(?:expression|file)/.test(arg))
  const operands = args.filter(
    (arg, at) => !/^-./.test(arg) && !/^-\w*[ef]$|^--(?:expression|file)$/.test(args[at - 1] ?? ''),
  )
  for (const path of hasScript ? operands : operands.slice(1)) {
    const full = fs.resolvePath(cwd, path)
    if (await fs.exists(full)) await fs.cp(full, `${full}${suffix}`)
  }
  return undefined
}

/** `sed` with `\<` and `\>`, and attached `-e`. */
export const sed = rewriting('sed', async (args, context) => {
  if (args.some(takesNull)) {
    const plain = args.map((arg) => (takesNull(arg) ? arg.replace('z', '') : arg.replaceAll('\\n', '\\x00')))
    return nullSeparated(
      'sed',
      plain.filter((arg) => arg !== '-' && arg !== '--null-data'),
      context,
    )
  }
  const words: string[] = []
  let script = false
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    const attached = /^-e(.+)$/s.exec(arg) ?? /^--expression=(.*)$/s.exec(arg)
    const text = attached?.[1] ?? (/^(-\w*e|--expression)$/.test(arg) ? args[at + 1] : undefined)
    if (text !== undefined) {
      if (attached === null) {
        words.push(arg)
        at += 1
      } else words.push('-e')
      words.push(edges(text))
      script = true
    } else if (arg === '-f' || arg === '--file') {
      words.push(arg, args[at + 1] ?? '')
      at += 1
      script = true
    } else if (!arg.startsWith('-') && !script) {
      words.push(edges(arg))
      script = true
    } else words.push(arg)
  }
  const wrong = await backUp(args, context)
  if (wrong !== undefined) return wrong
  if (words.some((word) => CASE.test(word)))
    return failed('sed', '\\U, \\L, \\u, \\l and \\E are not known here; use awk with toupper() or tolower()')
  return words
})
