/** The contenders, in the order of the results. */
export const contenders = {
  'ours-worker': 'ours, worker',
  'ours-shared': 'ours, shared',
  'ours-process': 'ours, process',
  'ours-bash-worker': 'BashSandbox, worker',
  'ours-bash-shared': 'BashSandbox, shared',
  'ours-bash-process': 'BashSandbox, process',
  'ours-jail-shared': 'JailSandbox, shared',
  raw: 'raw engine',
  echo: 'worker echo',
  'just-bash': 'just-bash',
  bashkit: 'bashkit',
  bash: 'bash -c',
} as const

/** The name of a contender in results and on the command line. */
export type ContenderName = keyof typeof contenders

/** The names in the order of {@link contenders}. */
export const contenderNames: readonly ContenderName[] = Object.keys(contenders).filter(isContender)

/** Whether a text is the name of a contender. */
export function isContender(name: string): name is ContenderName {
  return Object.hasOwn(contenders, name)
}

/** Whether a name is that of a sandbox of ours. */
export function isOurs(name: ContenderName): boolean {
  return name.startsWith('ours-')
}

/** The result of a command. */
export interface Answer {
  readonly exitCode: number
  readonly stdout: string
}

/** A shell with its file system. */
export interface Shell {
  /** The directory for its files. */
  readonly root: string
  execute(command: string): Promise<Answer>
  /** Runs many commands in one call; absent where the contender has no such call. */
  executeMany?(commands: readonly string[]): Promise<readonly Answer[]>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, content: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** What a scenario requires of a shell source. */
export interface Setting {
  /** The most shells at once. Default: 64. */
  readonly capacity?: number
  /** Cells that the shells are spread over, where there are cells. Default: 2. */
  readonly cells?: number
  /** Starts a new thread or process for each shell. */
  readonly startEach?: boolean
  /** Places kept ready ahead of demand. */
  readonly warm?: number
}

/** Opens shells. */
export interface ShellSource {
  /** Opens a shell, with a copy of the files of a host directory in its root. */
  open(tree?: string): Promise<Shell>
  /** Waits until the warm places are there. */
  ready?(): Promise<void>
  close(): Promise<void>
}

/** A shell implementation that is measured. */
export interface Contender {
  readonly name: ContenderName
  /** @throws {Cannot} where it does not support the setting */
  start(setting?: Setting): Promise<ShellSource>
}

/** A contender does not support what a scenario requires. The message says why. */
export class Cannot extends Error {
  override name = 'Cannot'
}
