import { existsSync, readdirSync } from 'node:fs'
import type { EngineName } from '../contract/lease.ts'
import { foreignText } from '../sandbox/message-text.ts'
import {
  ENGINE_BUILTINS,
  ENGINE_COMMANDS,
  MISSING_COMMANDS,
  MISSING_FLAGS,
  type MissingNames,
  RUNTIME_COMMANDS,
} from '../tools/engine-commands.ts'
import { BASH_BUILTINS, BASH_COMMANDS, MISSING_IN_BASH } from '../tools/shells/bash-commands.ts'
import { EXIT } from './exit-codes.ts'
import type { Output, Outputs } from './output.ts'
import { writeRecord } from './records.ts'
import { wrap } from './wrap.ts'

/** Columns of the text, at most. */
const width = 96

/** What a shell has, and what it lacks. */
interface Catalog {
  readonly commands: readonly string[]
  readonly builtins: readonly string[]
  readonly missing: readonly MissingNames[]
  readonly flags: readonly MissingNames[]
}

const catalogs: Readonly<Record<EngineName, Catalog>> = {
  strands: {
    commands: [...ENGINE_COMMANDS, ...RUNTIME_COMMANDS],
    builtins: ENGINE_BUILTINS,
    missing: MISSING_COMMANDS,
    flags: MISSING_FLAGS,
  },
  bash: {
    commands: BASH_COMMANDS,
    builtins: BASH_BUILTINS,
    missing: [
      { names: ['python', 'python3'], instead: 'the same, where the sandbox has it: --python, python: true' },
      ...MISSING_IN_BASH,
    ],
    flags: [],
  },
  jail: {
    get commands() {
      return programsOfMachine()
    },
    builtins: BASH_BUILTINS,
    missing: [],
    flags: [],
  },
}

/** What a jail with the root of the host finds. */
function programsOfMachine(): readonly string[] {
  const names = ['/usr/local/bin', '/usr/bin', '/bin'].flatMap((directory) =>
    existsSync(directory) ? readdirSync(directory) : [],
  )
  return [...new Set(names)].sort()
}

const pages: Readonly<Record<EngineName, string>> = {
  strands: 'docs/engine.md',
  bash: 'docs/bash.md',
  jail: 'docs/jail.md',
}

/** Tells what a shell has and lacks, or whether it has these names; gives the exit code. */
export async function commands(
  names: readonly string[],
  { stdout }: Outputs,
  { shell, json }: { readonly shell: EngineName; readonly json: boolean },
): Promise<number> {
  const catalog = catalogs[shell]
  if (names.length === 0) {
    await (json ? writeRecord(stdout, catalog) : stdout.write(overview(catalog, pages[shell])))
    return 0
  }
  const known = names.map((name) => look(name, catalog))
  await (json ? writeRecord(stdout, { names: known }) : writeKnown(known, stdout))
  return known.every(({ there }) => there) ? 0 : EXIT.failed
}

interface Known {
  readonly name: string
  readonly there: boolean
  /** What to use instead, where it is not there and an answer is known. */
  readonly instead?: string
}

function look(name: string, { commands: programs, builtins, missing }: Catalog): Known {
  if (programs.includes(name) || builtins.includes(name)) return { name, there: true }
  const instead = missing.find(({ names }) => names.includes(name))?.instead
  return { name, there: false, ...(instead === undefined ? {} : { instead }) }
}

function writeKnown(known: readonly Known[], output: Output): Promise<void> {
  const rows = known.map(({ name, there, instead }) => {
    const rest = instead === undefined ? '' : `; instead: ${instead}`
    return `${foreignText(name)}: ${there ? 'there' : `not there${rest}`}\n`
  })
  return output.write(rows.join(''))
}

function overview({ commands: programs, builtins, missing, flags }: Catalog, page: string): string {
  return [
    `Commands\n${filled(programs.join(' '), 2)}`,
    `Parts of the shell\n${filled(builtins.join(' '), 2)}`,
    ...(missing.length === 0 ? [] : [`Not there: instead\n${table(missing)}`]),
    ...(flags.length === 0 ? [] : [`Flags that are not there: instead\n${table(flags)}`]),
    `${page} has the rest.\n`,
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
