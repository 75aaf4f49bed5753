import { type Answer, failed } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  strip: { type: 'string', short: 'p' },
  reverse: { type: 'boolean', short: 'R' },
  forward: { type: 'boolean', short: 'N' },
  force: { type: 'boolean', short: 'f' },
  batch: { type: 'boolean', short: 't' },
  silent: { type: 'boolean', short: 's' },
  quiet: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  backup: { type: 'boolean', short: 'b' },
  suffix: { type: 'string', short: 'z' },
  'no-backup-if-mismatch': { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  input: { type: 'string', short: 'i' },
  directory: { type: 'string', short: 'd' },
  'reject-file': { type: 'string', short: 'r' },
  fuzz: { type: 'string', short: 'F' },
  'ignore-whitespace': { type: 'boolean', short: 'l' },
  'remove-empty-files': { type: 'boolean', short: 'E' },
  unified: { type: 'boolean', short: 'u' },
  normal: { type: 'boolean', short: 'n' },
  binary: { type: 'boolean' },
  verbose: { type: 'boolean' },
} as const

export interface PatchOptions {
  /** Directories that names lose at their start; all where it is undefined. */
  readonly strip: number | undefined
  readonly isReverse: boolean
  /** What becomes of a patch that was applied before. */
  readonly whereApplied: 'ask' | 'skip' | 'reverse' | 'apply'
  readonly isSilent: boolean
  readonly isTrial: boolean
  readonly backs: 'always' | 'mismatch' | 'never'
  readonly suffix: string
  /** Where the result goes in place of the file. */
  readonly output: string | undefined
  readonly directory: string | undefined
  /** Where hunks go that do not fit; none where it is `-`. */
  readonly rejects: string | undefined
  readonly mostFuzz: number
  readonly ignoresBlanks: boolean
  readonly removesEmpty: boolean
  readonly keepsReturns: boolean
  /** The file to change. */
  readonly file: string | undefined
  /** The file of the patch; undefined for standard input. */
  readonly patch: string | undefined
}

const TROUBLE = 2

const withHint = (answer: Answer): Answer => ({
  ...answer,
  stderr: `${answer.stderr}patch: Try 'patch --help' for more information.\n`,
  exitCode: TROUBLE,
})

/** Reads the options of GNU patch. */
export function readPatchOptions(args: readonly string[]): PatchOptions | Answer {
  const read = readOptions('patch', args, OPTIONS)
  if (!isGiven(read)) return withHint(read)
  const { flags, values, operands } = read
  const extra = operands[2]
  if (extra !== undefined) return withHint(failed('patch', `${extra}: extra operand`))
  for (const [name, what] of [
    ['strip', 'strip count'],
    ['fuzz', 'fuzz factor'],
  ] as const) {
    const value = values.get(name)
    if (value !== undefined && !/^\d+$/.test(value))
      return failed('patch', `**** ${what} ${value} is not a number`, TROUBLE)
  }
  const whereApplied = flags.has('forward')
    ? 'skip'
    : flags.has('force')
      ? 'apply'
      : flags.has('batch')
        ? 'reverse'
        : 'ask'
  const backs =
    flags.has('backup') || values.has('suffix')
      ? 'always'
      : flags.has('no-backup-if-mismatch')
        ? 'never'
        : 'mismatch'
  const strip = values.get('strip')
  return {
    strip: strip === undefined ? undefined : Number(strip),
    isReverse: flags.has('reverse'),
    whereApplied,
    isSilent: flags.has('silent') || flags.has('quiet'),
    isTrial: flags.has('dry-run'),
    backs,
    suffix: values.get('suffix') ?? '.orig',
    output: values.get('output'),
    directory: values.get('directory'),
    rejects: values.get('reject-file'),
    mostFuzz: Number(values.get('fuzz') ?? 2),
    ignoresBlanks: flags.has('ignore-whitespace'),
    removesEmpty: flags.has('remove-empty-files'),
    keepsReturns: flags.has('binary'),
    file: operands[0],
    patch: values.get('input') ?? operands[1],
  }
}
