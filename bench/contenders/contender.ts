/** Who is measured, in the order in which they are shown. */
export const contenders = {
  'ours-worker': 'ours, worker',
  'ours-shared': 'ours, shared',
  'ours-process': 'ours, process',
  raw: 'raw engine',
  echo: 'worker echo',
  'just-bash': 'just-bash',
  bashkit: 'bashkit',
  bash: 'bash -c',
} as const

/** A contender's name, as results and the command line have it. */
export type ContenderName = keyof typeof contenders

/** The names in the order of {@link contenders}. */
export const contenderNames: readonly ContenderName[] = Object.keys(contenders).filter(isContender)

/** Whether a text is the name of a contender. */
export function isContender(name: string): name is ContenderName {
  return Object.hasOwn(contenders, name)
}

/** Whether a name is that of one of our isolation levels. */
export function isOurs(name: ContenderName): boolean {
  return name.startsWith('ours-')
}

/** What a command gave. */
export interface Answer {
  readonly exitCode: number
  readonly stdout: string
}

/** One shell with its files. */
export interface Shell {
  /** The directory that its files go to. */
  readonly root: string
  execute(command: string): Promise<Answer>
  /** Many commands in one call; absent where there is no such call. */
  executeMany?(commands: readonly string[]): Promise<readonly Answer[]>
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, content: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** What a scenario asks of the place that shells come from. */
export interface Setting {
  /** The most shells at once. Default: 64. */
  readonly capacity?: number
  /** Cells that the shells are spread over, where there are cells. Default: 2. */
  readonly cells?: number
  /** Each shell gets a thread or a process that is started for it. */
  readonly startEach?: boolean
  /** Places kept ready ahead of demand. */
  readonly warm?: number
}

/** Where shells come from. */
export interface ShellSource {
  /** Opens a shell, with a copy of the files of a host directory in its root. */
  open(tree?: string): Promise<Shell>
  /** Waits until the warm places are there. */
  ready?(): Promise<void>
  close(): Promise<void>
}

/** Something that gives shells, behind one interface. */
export interface Contender {
  readonly name: ContenderName
  /** @throws {Cannot} where it does not offer what the setting asks */
  start(setting?: Setting): Promise<ShellSource>
}

/** A contender does not offer what a scenario asks; the message says what. */
export class Cannot extends Error {
  override name = 'Cannot'
}
