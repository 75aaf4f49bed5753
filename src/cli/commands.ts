import { foreignText } from '../sandbox/message-text.ts'
import {
  ENGINE_BUILTINS,
  ENGINE_COMMANDS,
  insteadOf,
  MISSING_COMMANDS,
  MISSING_FLAGS,
  type MissingNames,
} from '../tools/engine-commands.ts'
import { EXIT } from './exit-codes.ts'
import type { Output, Outputs } from './output.ts'
import { writeRecord } from './records.ts'
import { wrap } from './wrap.ts'

/** Columns of the text, at most. */
const width = 96

/** Tells what the engine has and lacks, or whether it has these names; gives the exit code. */
export async function commands(
  names: readonly string[],
  { stdout }: Outputs,
  json: boolean,
): Promise<number> {
  if (names.length === 0) {
    await (json ? writeRecord(stdout, everything) : stdout.write(overview()))
    return 0
  }
  const known = names.map(look)
  await (json ? writeRecord(stdout, { names: known }) : writeKnown(known, stdout))
  return known.every(({ there }) => there) ? 0 : EXIT.failed
}

const everything = {
  commands: ENGINE_COMMANDS,
  builtins: ENGINE_BUILTINS,
  missing: MISSING_COMMANDS,
  flags: MISSING_FLAGS,
}

interface Known {
  readonly name: string
  readonly there: boolean
  /** What to use instead, where it is not there and an answer is known. */
  readonly instead?: string
}

function look(name: string): Known {
  if (ENGINE_COMMANDS.includes(name) || ENGINE_BUILTINS.includes(name)) return { name, there: true }
  const instead = insteadOf(name)
  return { name, there: false, ...(instead === undefined ? {} : { instead }) }
}

function writeKnown(known: readonly Known[], output: Output): Promise<void> {
  const rows = known.map(({ name, there, instead }) => {
    const rest = instead === undefined ? '' : `; instead: ${instead}`
    return `${foreignText(name)}: ${there ? 'there' : `not there${rest}`}\n`
  })
  return output.write(rows.join(''))
}

function overview(): string {
  return [
    `Commands\n${filled(ENGINE_COMMANDS.join(' '), 2)}`,
    `Parts of the shell\n${filled(ENGINE_BUILTINS.join(' '), 2)}`,
    `Not there: instead\n${table(MISSING_COMMANDS)}`,
    `Flags that are not there: instead\n${table(MISSING_FLAGS)}`,
    'docs/engine.md has the rest.\n',
  ].join('\n')
}

function table(entries: readonly MissingNames[]): string {
  return entries
    .map(
      ({ names, instead }) =>
        `${filled(names.join(names.some((name) => name.includes(' ')) ? ', ' : ' '), 2)}${filled(instead, 6)}`,
    )
    .join('')
}

function filled(text: string, indent: number): string {
  return wrap(text, width - indent)
    .map((row) => `${' '.repeat(indent)}${row}\n`)
    .join('')
}
