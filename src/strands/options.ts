import { refuse } from '../sandbox/arguments.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import {
  type ResolvedToolsOptions,
  requireToolName,
  resolveToolsOptions,
  type SandboxToolsOptions,
} from '../tools/options.ts'

/** The tools that an agent gets of its sandbox. */
export interface ToolsOptions
  extends Pick<SandboxToolsOptions, 'maxCharacters' | 'timeout' | 'spillDirectory' | 'about'> {
  /**
   * The name of the shell.
   *
   * @default 'sandbox_bash'
   */
  readonly bash?: string | undefined
  /**
   * The name of the editor.
   *
   * @default 'sandbox_file_editor'
   */
  readonly editor?: string | undefined
}

/** Options of a sandbox for the Strands SDK. */
export interface StrandsOptions {
  /**
   * The tools that an agent gets of it: their names, and how their output is shaped. `false`: none.
   *
   * @default {} (`sandbox_bash` and `sandbox_file_editor`)
   */
  readonly tools?: ToolsOptions | false | undefined
}

const TOOLS_KEYS = [
  'bash',
  'editor',
  'maxCharacters',
  'timeout',
  'spillDirectory',
  'about',
] as const satisfies readonly (keyof ToolsOptions)[]

/** The names of the tools, and what shapes their output. */
export interface ResolvedTools {
  readonly bash: string
  readonly editor: string
  readonly shape: ResolvedToolsOptions
}

/**
 * @param defaultTimeout - seconds that a command has where the options do not say
 * @throws SandboxConfigError naming the option that is not valid
 */
export function resolveTools(
  tools: ToolsOptions | false = {},
  defaultTimeout: number | undefined,
): ResolvedTools | false {
  if (tools === false) return false
  optionsOf<ToolsOptions>(tools, TOOLS_KEYS, 'tools')
  const { bash = 'sandbox_bash', editor = 'sandbox_file_editor', timeout = defaultTimeout, ...rest } = tools
  const names = {
    bash: requireToolName(bash, 'tools.bash'),
    editor: requireToolName(editor, 'tools.editor'),
  }
  if (names.bash === names.editor) throw refuse('tools.editor', 'must differ from tools.bash.')
  return { ...names, shape: resolveToolsOptions({ ...rest, timeout }) }
}
