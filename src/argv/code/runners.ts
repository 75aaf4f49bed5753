import { refuse } from '../../sandbox/arguments.ts'
import { kindOf } from '../../sandbox/show-value.ts'
import { requireTexts } from '../arguments.ts'

/** Runs code that is given as the last word of an argv. */
export interface InlineRunner {
  /** The words before the code, such as `['python3', '-c']`. */
  readonly inline: readonly string[]
}

/** Runs code from a file whose path is the last word of an argv. */
export interface FileRunner {
  /** The words before the path, such as `['node']`. */
  readonly file: readonly string[]
  /** The end of the file's name, without a dot, such as `js`. */
  readonly extension: string
}

/** How code of a language is run: inline or from a file. */
export type LanguageRunner = InlineRunner | FileRunner

/** How languages are run. Of several runners the first is taken whose program there is. */
export type LanguageRunners = Readonly<Record<string, LanguageRunner | readonly LanguageRunner[]>>

/** The runners of languages whose adapter is given no other. */
export const DEFAULT_RUNNERS: LanguageRunners = {
  python: [{ inline: ['python3', '-c'] }, { inline: ['python', '-c'] }],
  bash: { inline: ['bash', '-c'] },
  javascript: { file: ['node'], extension: 'js' },
  // Both others take all of TypeScript; Node, from 22.6 on, what it can strip.
  typescript: [
    { file: ['tsx'], extension: 'ts' },
    { file: ['ts-node'], extension: 'ts' },
    { file: ['node', '--no-warnings', '--experimental-strip-types'], extension: 'ts' },
  ],
  lua: { file: ['lua'], extension: 'lua' },
}

/**
 * Validates the runners of a caller and puts them over the default ones.
 *
 * @throws SandboxConfigError naming the runner, such as `runners.ruby`, that is not inline or file, or is both
 */
export function resolveRunners(given: unknown): ReadonlyMap<string, readonly LanguageRunner[]> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw refuse('runners', `must be an object of languages and their runners, but is ${kindOf(given)}.`)
  }
  const entries = Object.entries<unknown>({ ...DEFAULT_RUNNERS, ...given })
  return new Map(
    entries.map(([language, runners]) => [language, requireRunners(runners, `runners.${language}`)]),
  )
}

function requireRunners(value: unknown, field: string): readonly LanguageRunner[] {
  if (!Array.isArray(value)) return [requireRunner(value, field)]
  if (value.length === 0) throw refuse(field, 'must have a runner, but is empty.')
  return Array.from(value, (runner, index) => requireRunner(runner, `${field}[${index}]`))
}

function requireRunner(value: unknown, field: string): LanguageRunner {
  if (typeof value !== 'object' || value === null) {
    throw refuse(field, `must be a runner, but is ${kindOf(value)}.`)
  }
  const { inline, file, extension }: { inline?: unknown; file?: unknown; extension?: unknown } = value
  const isFile = file !== undefined || extension !== undefined
  if ((inline !== undefined) === isFile) {
    throw refuse(
      field,
      'must be either inline ({ inline }) or of a file ({ file, extension }), not both or neither.',
    )
  }
  if (inline !== undefined) return { inline: requireProgram(inline, `${field}.inline`) }
  if (typeof extension !== 'string' || !/^\w+$/.test(extension)) {
    throw refuse(`${field}.extension`, 'must be the end of a file name, such as "js", in letters and digits.')
  }
  return { file: requireProgram(file, `${field}.file`), extension }
}

function requireProgram(value: unknown, field: string): readonly string[] {
  const words = requireTexts(value, field)
  if (words.length === 0) throw refuse(field, 'must begin with a program, but is empty.')
  return words
}
