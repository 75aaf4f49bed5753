import type { OwnCommand } from './commands/command.ts'
import { OWN_COMMANDS } from './commands/index.ts'
import { nameInputs } from './commands/input-files.ts'
import { tellTaken } from './commands/input-taken.ts'
import { PYTHON } from './commands/python.ts'
import type { SandboxFs } from './files/memory-fs.ts'
import type { Bash, JustBash, ScriptNode, StatementNode } from './just-bash.ts'
import { unlikePinned } from './just-bash.ts'
import { loadProgramsOnDemand } from './lazy-programs.ts'
import { type Bounds, executionLimits } from './limits.ts'
import type { Network } from './network/open-network.ts'
import type { CommandRules } from './rules/command-rules.ts'
import {
  copyState,
  type InterpreterState,
  type ShellArray,
  startOn,
  stateOf,
} from './session/interpreter-state.ts'
import type { Interpreter } from './session/session.ts'
import type { Stop } from './session/stop.ts'
import { Programs } from './transform/program.ts'
import { FIXED } from './transform/stateful.ts'

/** What an interpreter is made of. */
interface InterpreterOptions {
  readonly justBash: JustBash
  readonly fs: SandboxFs
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly bounds: Bounds
  readonly stop: Stop
  readonly python: boolean
  /** Undefined: there is none. */
  readonly network: Network | undefined
  /** They stand before all others of their name. */
  readonly commands: readonly OwnCommand[]
  readonly rules: CommandRules | undefined
}

/**
 * What a program gives a command that it runs is exported to it: `xargs bash -c`, `env X=1 bash -c`.
 * just-bash makes plain variables of it.
 */
function exportGiven(bash: Bash): void {
  const run: unknown = Reflect.get(bash, 'execInScope')
  if (typeof run !== 'function') throw unlikePinned('runs commands')
  Reflect.set(
    bash,
    'execInScope',
    (text: string, options: { env?: object } | undefined, ...rest: unknown[]) => {
      const start = () => run.call(bash, text, options, ...rest)
      if (options?.env === undefined) return start()
      const state = stateOf(bash)
      return startOn(bash, { ...state, exportedVars: new Set(Object.keys(options.env)) }, start)
    },
  )
}

/** What the mended places of just-bash ask. */
const asked = (rules: CommandRules) => ({
  refuseWord: (word: string) => rules.refuseWord(word),
  refuseProgram: (program: string) => rules.refuseProgram(program),
  refuseFile: (path: string) => rules.refuseFile(path),
})

/** `${BASH_VERSINFO[@]}` */
const VERSION: ShellArray = {
  kind: 'indexed',
  elements: new Map(
    ['5', '2', '37', '1', 'release', 'x86_64-pc-linux-gnu'].map((part, at) => [String(at), part]),
  ),
}

/** One just-bash with our commands and our reading of scripts. Serves every shell of a sandbox. */
export function openInterpreter({
  justBash,
  fs,
  cwd,
  env,
  bounds,
  stop,
  python,
  network,
  commands,
  rules,
}: InterpreterOptions): Interpreter {
  const coverage = {
    hit(feature: string) {
      if (feature === 'bash:cmd:Group') {
        interpreter.onGroup?.()
        interpreter.onGroup = undefined
      } else if (!feature.startsWith('bash:')) stop.step()
    },
    // Asked by mended places.
    isOver: () => stop.isOver,
    readSource(text: string): ScriptNode {
      const program = interpreter.programs.read(text)
      interpreter.current?.noteArrays(program)
      return { type: 'Script', statements: [...program.statements] }
    },
    leaveLine: ({ bashPid, groupStdin }: InterpreterState) =>
      interpreter.current?.discard(bashPid, typeof groupStdin === 'string' ? groupStdin : ''),
    isInterrupted: () => interpreter.current?.interruptions.expected === true,
    interruption: (state: InterpreterState, node: StatementNode, hasFailed: boolean) =>
      interpreter.current?.interruption(state, { node, hasFailed }),
    ...(rules === undefined ? {} : asked(rules)),
  }
  const bash = new justBash.Bash({
    fs,
    cwd,
    env: { ...env },
    executionLimits: executionLimits(bounds),
    python,
    ...(network === undefined ? {} : { fetch: network.fetch }),
    defenseInDepth: false,
    processInfo: { pid: 42, ppid: 1, uid: 1000, gid: 1000 },
    coverage,
    customCommands: [
      ...OWN_COMMANDS,
      ...(python ? PYTHON : []),
      ...(network?.commands ?? []),
      ...commands,
    ].map((command) =>
      justBash.defineCommand(command.name, async (args, context) => command.run(args, context, interpreter)),
    ),
  })
  exportGiven(bash)
  loadProgramsOnDemand(bash)
  const fresh = copyState(stateOf(bash))
  fresh.arrays.set('BASH_VERSINFO', VERSION)
  for (const name of FIXED) fresh.readonlyVars.add(name)
  fresh.env.set('SHLVL', '1')
  fresh.exportedVars.add('SHLVL')
  // As after every script.
  fresh.env.set('?', '0')
  const interpreter: Interpreter = {
    bash,
    files: fs,
    stop,
    serialize: justBash.serialize,
    programs: new Programs(
      justBash,
      () => stop.ending,
      fs,
      (name) => rules?.denies(name) === true,
    ),
    fresh,
    rules,
    current: undefined,
    next: undefined,
    onGroup: undefined,
  }
  nameInputs(bash)
  tellTaken(bash, interpreter.programs.inputTaken)
  let given: ScriptNode | undefined
  // A mended place asks for the tree in place of parsing a text.
  Reflect.set(bash, 'nextScript', () => {
    given = interpreter.next
    interpreter.next = undefined
    return given
  })
  bash.registerTransformPlugin({
    name: 'session',
    transform: ({ ast }) => ({ ast: ast === given ? ast : interpreter.programs.rewritten(ast) }),
  })
  return interpreter
}
