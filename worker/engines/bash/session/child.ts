import type { CommandContext, ExecResult, ShellFunction } from '../just-bash.ts'
import { cleaned } from '../output.ts'
import type { StreamedOutput } from '../streamed-output.ts'
import { isSyntaxError, syntaxError } from '../text/syntax-error.ts'
import { MAX_DEPTH, nextPid } from './depth.ts'
import { copyState, setPositional } from './interpreter-state.ts'
import { type Interpreter, Session } from './session.ts'

/** A shell that a command starts: `bash x.sh`, `./x.sh`, `sh -c`. */
export interface ChildRequest {
  readonly text: string
  /** `$0` and the positional parameters. */
  readonly words: readonly [name: string, ...args: string[]]
  /** Letters and names of `set` options: `['e', 'pipefail']`. */
  readonly options?: readonly string[]
  /** Where the text is from: the value of `-c`, the file that `$0` names, or the input. */
  readonly origin: 'inline' | 'file' | 'input'
  /** Bytes as latin1. Default: those of the command. */
  readonly stdin?: string
  /** Told as each statement of the script ends. */
  readonly streamed?: StreamedOutput | undefined
}

/** What such a shell has of the command that starts it. */
export interface ChildContext {
  readonly cwd: string
  readonly exportedEnv?: Readonly<Record<string, string>> | undefined
  /** Bytes as latin1. */
  readonly stdin: CommandContext['stdin'] | string
}

const OPTION_NAMES: Readonly<Record<string, string>> = {
  e: 'errexit',
  u: 'nounset',
  x: 'xtrace',
  v: 'verbose',
  n: 'noexec',
  f: 'noglob',
  a: 'allexport',
  C: 'noclobber',
}

/** Runs a script in a shell of its own: it gets the exported variables, and gives back its output. */
export async function runChild(
  interpreter: Interpreter,
  context: ChildContext,
  { text, words, options = [], origin, stdin, streamed }: ChildRequest,
): Promise<ExecResult> {
  const depth = (interpreter.current?.depth ?? 0) + 1
  if (depth > MAX_DEPTH)
    return { stdout: '', stderr: `bash: more than ${MAX_DEPTH} shells inside each other\n`, exitCode: 1 }
  if (interpreter.stop.ending) return { stdout: '', stderr: '', exitCode: 124 }
  const state = copyState(interpreter.fresh)
  const functions = exportedFunctions(interpreter.current)
  for (const definition of functions) state.functions.set(definition.name, definition)
  const exported = Object.entries(context.exportedEnv ?? {})
  // `env -u` and `env -i` take variables away that every shell begins with.
  for (const name of state.exportedVars) if (name !== 'PATH') state.env.delete(name)
  for (const [name, value] of exported) state.env.set(name, value)
  state.exportedVars.clear()
  for (const [name] of exported) state.exportedVars.add(name)
  state.env.set('PWD', context.cwd)
  state.env.set('SHLVL', String(Number(state.env.get('SHLVL') ?? '0') + 1))
  const [name, ...args] = words
  setPositional(state.env, args)
  state.env.set('0', name)
  const set: Record<string, boolean> = { ...state.options }
  for (const option of options) set[OPTION_NAMES[option] ?? option] = true
  state.env.set(
    'SHELLOPTS',
    Object.keys(set)
      .filter((key) => set[key])
      .sort()
      .join(':'),
  )
  const pid = nextPid()
  const session = new Session(
    interpreter,
    {
      ...state,
      cwd: context.cwd,
      options: set,
      virtualPid: pid,
      bashPid: pid,
      nextVirtualPid: pid + 1,
      // `BASH_SOURCE`
      ...(origin === 'file' ? { sourceStack: [name], currentSource: name } : {}),
    },
    depth,
  )
  for (const { name: exportedName } of functions) session.exportedFunctions.add(exportedName)
  try {
    const problem = set['noexec'] === true ? interpreter.programs.read(text).problem : undefined
    if (problem !== undefined) return { stdout: '', stderr: `${name}: ${problem}\n`, exitCode: 2 }
    const result = await session.run(text, {
      signal: interpreter.stop.signal,
      stdin: stdin ?? String(context.stdin),
      ...(streamed === undefined ? {} : { streamed }),
    })
    return withoutInner(result)
  } catch (error) {
    if (!(error instanceof Error && isSyntaxError(error))) throw error
    const stderr = `${name}: ${origin === 'inline' ? '-c: ' : ''}${syntaxError(error, text)}\n`
    streamed?.ended({ stdout: '', stderr })
    return { stdout: '', stderr, exitCode: 2 }
  }
}

function exportedFunctions(session: Session | undefined): ShellFunction[] {
  if (session === undefined || session.exportedFunctions.size === 0) return []
  const known = session.functions
  return [...session.exportedFunctions].flatMap((name) => known.get(name) ?? [])
}

/** What a shell gives that shows its commands, without those of ours: a script may take them for its own. */
function withoutInner(result: ExecResult): ExecResult {
  const { stdout, stdoutKind, exitCode } = result
  const stderr = cleaned(result.stderr, undefined)
  if (stderr === result.stderr) return result
  return { stdout, stderr, exitCode, ...(stdoutKind === undefined ? {} : { stdoutKind }) }
}
