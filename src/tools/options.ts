import { refuse, requirePath, requireText, requireTimeout } from '../sandbox/arguments.ts'
import { validateLanguage } from '../sandbox/language.ts'
import { optionsOf, within } from '../sandbox/options-of.ts'
import { kindOf, showValue } from '../sandbox/show-value.ts'
import type { ToolId } from './sandbox-tool.ts'

/** Options of {@link sandboxTools}. */
export interface SandboxToolsOptions {
  /**
   * What the model calls the tools: letters, digits, `_` and `-`, at most 64.
   *
   * @default {} (their ids)
   */
  readonly names?: Partial<Readonly<Record<ToolId, string>>> | undefined
  /**
   * The tools to give, in this order.
   *
   * @default all of them
   */
  readonly include?: readonly ToolId[] | undefined
  /**
   * Most characters (UTF-16 units) of output that one call gives to the model, from 200; notes about what was left out
   * come on top.
   *
   * @default 30_000
   */
  readonly maxCharacters?: number | undefined
  /**
   * Seconds after which a command is aborted where the model does not say.
   *
   * @default undefined (the sandbox's own limit)
   */
  readonly timeout?: number | undefined
  /**
   * The directory in the sandbox for output that is too long; the files of the last 20 such outputs are kept. `false`:
   * what is too long is lost.
   *
   * @default '/tmp'
   */
  readonly spillDirectory?: string | false | undefined
  /**
   * The languages that `run_code` offers.
   *
   * @default lua and sh for a `StrandsShellSandbox`; bash, sh, awk, jq and, where it is on, python3 for a `BashSandbox`; for
   * others, whatever the model names
   */
  readonly languages?: readonly string[] | undefined
  /**
   * Added to the description of every tool: what the sandbox is for, or what is in it.
   *
   * @default undefined (nothing)
   */
  readonly about?: string | undefined
}

/** {@link SandboxToolsOptions}, valid. */
export interface ResolvedToolsOptions {
  readonly names: Readonly<Record<ToolId, string>>
  readonly include: readonly ToolId[]
  readonly maxCharacters: number
  readonly timeout: number | undefined
  readonly spillDirectory: string | undefined
  readonly languages: readonly string[] | undefined
  readonly about: string | undefined
}

/** Every tool there is. */
const TOOL_IDS: readonly ToolId[] = [
  'shell',
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'run_code',
]

const KEYS = [
  'names',
  'include',
  'maxCharacters',
  'timeout',
  'spillDirectory',
  'languages',
  'about',
] as const satisfies readonly (keyof SandboxToolsOptions)[]

const LEAST_CHARACTERS = 200
const MOST_CHARACTERS = 10_000_000
const DEFAULT_CHARACTERS = 30_000
const namePattern = /^[a-zA-Z0-9_-]{1,64}$/

/** @throws SandboxConfigError naming the option that is not valid */
export function resolveToolsOptions(options: unknown = {}): ResolvedToolsOptions {
  const given = optionsOf<SandboxToolsOptions>(options, KEYS)
  const { maxCharacters = DEFAULT_CHARACTERS, timeout, spillDirectory = '/tmp', about } = given
  const include = idsOf(given.include ?? TOOL_IDS)
  return {
    names: namesOf(given.names ?? {}, include),
    include,
    maxCharacters: within('maxCharacters', maxCharacters, {
      least: LEAST_CHARACTERS,
      most: MOST_CHARACTERS,
      isWhole: true,
    }),
    timeout: timeout === undefined ? undefined : requireTimeout(timeout),
    spillDirectory: spillDirectory === false ? undefined : requirePath(spillDirectory, 'spillDirectory'),
    languages: given.languages === undefined ? undefined : languagesOf(given.languages),
    about: about === undefined ? undefined : requireText(about, 'about'),
  }
}

function idsOf(include: unknown): readonly ToolId[] {
  if (!Array.isArray(include))
    throw refuse('include', `must be an array of tools, but is ${kindOf(include)}.`)
  const ids = Array.from(include, (id: unknown, index) => {
    const known = TOOL_IDS.find((name) => name === id)
    if (known !== undefined) return known
    throw refuse(`include[${index}]`, `must be one of ${TOOL_IDS.join(', ')}, but is ${showValue(id)}.`)
  })
  return [...new Set(ids)]
}

function namesOf(names: unknown, include: readonly ToolId[]): Readonly<Record<ToolId, string>> {
  const given = optionsOf<Record<ToolId, string>>(names, TOOL_IDS, 'names')
  const nameOf = (id: ToolId) => (given[id] === undefined ? id : requireToolName(given[id], `names.${id}`))
  const resolved = {
    shell: nameOf('shell'),
    read_file: nameOf('read_file'),
    write_file: nameOf('write_file'),
    edit_file: nameOf('edit_file'),
    list_files: nameOf('list_files'),
    run_code: nameOf('run_code'),
  }
  const taken = include.map((id) => resolved[id])
  const twice = taken.find((name, index) => taken.indexOf(name) !== index)
  if (twice !== undefined) throw refuse('names', `must differ, but ${showValue(twice)} is there twice.`)
  return resolved
}

/** @throws SandboxConfigError naming the option */
export function requireToolName(name: unknown, field: string): string {
  if (typeof name === 'string' && namePattern.test(name)) return name
  throw refuse(field, `must be 1 to 64 letters, digits, "_" and "-", but is ${showValue(name)}.`)
}

function languagesOf(languages: unknown): readonly string[] {
  if (Array.isArray(languages) && languages.length > 0) return Array.from(languages, validateLanguage)
  throw refuse('languages', 'must be an array of the names of interpreters, such as ["lua"].')
}
