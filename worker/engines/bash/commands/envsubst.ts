import { decode } from '../text/bytes.ts'
import { done, failed, type OwnCommand } from './command.ts'

const NAMES = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g

const namesIn = (text: string): string[] =>
  [...text.matchAll(NAMES)].map(([, bare, braced]) => bare ?? braced ?? '')

/** `envsubst [-v] [format]`: puts exported variables into a text; with a format those alone that it names. */
export const envsubst: OwnCommand = {
  name: 'envsubst',
  run(args, context) {
    const lists = args[0] === '-v' || args[0] === '--variables'
    const words = lists ? args.slice(1) : args
    const [format] = words
    if (words.some((word) => word.startsWith('-'))) return failed('envsubst', `invalid option ${words[0]}`)
    if (words.length > 1) return failed('envsubst', 'too many arguments')
    if (lists) {
      if (format === undefined) return failed('envsubst', 'missing arguments')
      return done([...new Set(namesIn(format))].map((name) => `${name}\n`).join(''))
    }
    const known = format === undefined ? undefined : new Set(namesIn(format))
    const exported = context.exportedEnv ?? {}
    const text = decode(String(context.stdin)).replace(
      NAMES,
      (whole: string, bare?: string, braced?: string) => {
        const name = bare ?? braced ?? ''
        return known?.has(name) === false ? whole : (exported[name] ?? '')
      },
    )
    return done(text)
  },
}
