import { PatternError } from '../text/bracket.ts'
import { compilePattern, type Pattern } from '../text/pattern.ts'
import { failed, type OwnCommand } from './command.ts'
import { original, rewriting } from './wrapper.ts'

const PASTE_ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' }

/** `paste -sd,` reads stdin where no file is named; `-d '\n'` names a character. */
export const paste = rewriting('paste', (args) => {
  const words = args.flatMap((arg) => {
    const delimiter = /^-(s*)d(.+)$/s.exec(arg)
    return delimiter === null ? [arg] : [...(delimiter[1] ? ['-s'] : []), '-d', delimiter[2] ?? '']
  })
  const resolved = words.map((word, at) =>
    words[at - 1] === '-d'
      ? word.replaceAll(/\\(.)/g, (_, letter: string) => PASTE_ESCAPES[letter] ?? letter)
      : word,
  )
  const operands = resolved.filter(
    (word, at) => (!word.startsWith('-') || word === '-') && resolved[at - 1] !== '-d',
  )
  return operands.length === 0 ? [...resolved, '-'] : resolved
})

/** `tail -qn1`: just-bash knows the letters apart. */
export const tail = rewriting('tail', (args) =>
  args.flatMap((arg) => {
    const [, before, amount] = /^-([qv]+)([nc].*)$/.exec(arg) ?? []
    return amount === undefined ? [arg] : [`-${before}`, `-${amount}`]
  }),
)

/** `expr text : expression` with a basic regular expression at the beginning of the text. */
export const expr: OwnCommand = {
  name: 'expr',
  async run(args, context) {
    const [text = '', operator, pattern = ''] = args
    if (operator !== ':' || args.length !== 3) return original('expr', args, context)
    try {
      const value = beginning(text, compilePattern(pattern, { syntax: 'basic', program: 'grep' }))
      return { stdout: `${value}\n`, stderr: '', exitCode: value === '' || value === '0' ? 1 : 0 }
    } catch (error) {
      if (error instanceof PatternError) return failed('expr', error.message, 2)
      throw error
    }
  },
}

/** The first group of a match at the beginning, or how many characters match. */
function beginning(text: string, pattern: Pattern): string {
  const found = pattern.find(text)
  const [whole = '', group = ''] = found?.index === 0 ? found.texts : []
  return pattern.groups > 0 ? group : String([...whole].length)
}
