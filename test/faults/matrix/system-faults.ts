import type { EngineName as AnyEngine } from '../../../src/contract/lease.ts'
import { type Isolation, type SandboxError, SessionLoss } from '../../../src/index.ts'

/** The engines whose faults the page tells in one table. */
export type EngineName = Exclude<AnyEngine, 'jail'>

/** What each call comes to while the system refuses something, and once it does no more. */
export interface SystemWords {
  readonly open: string
  /** Of a sandbox that is open already. */
  readonly command: string
  /** A command that writes a file of a direct bind, on the disk that the fault strikes. */
  readonly 'command that writes to a bind': string
  readonly '`writeFile()` into a bind': string
  /** Open, and a command of the sandbox that was open. */
  readonly afterwards: string
}

/** Something that the system of the host refuses. */
export interface SystemFault {
  readonly name: string
  readonly words: Readonly<Record<EngineName, Partial<SystemWords>>> & {
    readonly jail?: Partial<SystemWords>
  }
}

/** An opening for which there are not enough files, threads or memory. */
export const refusedForRoom = 'WORKER_LOST WORKER_FAILED'
const forRoom = { open: refusedForRoom, command: 'done', afterwards: 'done' }

/** The limits of a process: no sandbox opens beyond. */
const limitFaults: readonly SystemFault[] = [
  {
    name: 'no descriptor left (`ulimit -n`)',
    words: { bash: forRoom, strands: forRoom, jail: { open: refusedForRoom, afterwards: 'done' } },
  },
  { name: 'no thread left (`ulimit -u`, pids of a container)', words: { bash: forRoom, strands: forRoom } },
  { name: 'no address space left (`ulimit -v`)', words: { bash: forRoom, strands: forRoom } },
]

const unharmed: SystemWords = {
  open: 'done',
  command: 'done',
  'command that writes to a bind': 'done',
  '`writeFile()` into a bind': 'done',
  afterwards: 'done',
}
const inMirror = {
  ...unharmed,
  open: 'IO_ERROR',
  'command that writes to a bind': 'MIRROR_FAILED',
  '`writeFile()` into a bind': 'MIRROR_FAILED',
}
const inPlace = { ...unharmed, 'command that writes to a bind': 'status 1' }

/** What a file system can refuse, by the name that a process of its own is told. */
export const fileSystemFaults = {
  full: {
    name: 'disk of `TMPDIR` and of a bind full',
    words: {
      bash: { ...inPlace, '`writeFile()` into a bind': 'IO_ERROR' },
      strands: inMirror,
      jail: {
        ...{ open: 'IO_ERROR', command: 'IO_ERROR', 'command that writes to a bind': 'IO_ERROR' },
        ...{ '`writeFile()` into a bind': 'LIMIT_EXCEEDED', afterwards: 'done' },
      },
    },
  },
  'read-only': {
    name: 'disk of `TMPDIR` and of a bind read-only',
    words: {
      bash: { ...inPlace, '`writeFile()` into a bind': 'PERMISSION_DENIED' },
      strands: inMirror,
      // The disk is in use while there is a jail: nobody can make it read-only.
      jail: { open: 'IO_ERROR', afterwards: 'done' },
    },
  },
  'no proc': {
    name: 'no `/proc`',
    words: { bash: unharmed, strands: unharmed, jail: { open: 'ENGINE_UNAVAILABLE', afterwards: 'done' } },
  },
} satisfies Readonly<Record<string, SystemFault & { words: Record<AnyEngine, Partial<SystemWords>> }>>

export type FileSystemFault = keyof typeof fileSystemFaults

/** A sandbox that a fault strikes. */
export type Struck = readonly [level: Isolation, shell: AnyEngine]

/** How an error of the package reads: its code, and that of its cause. */
export function codesOf({ code, cause }: SandboxError): string {
  return cause instanceof SessionLoss ? `${code} ${cause.code}` : code
}

/** The table of the page: what is the same in both shells stands once. */
export function systemTable(): string {
  const columns = Object.keys(unharmed)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rows = [...limitFaults, ...Object.values(fileSystemFaults)].flatMap(({ name, words }) => {
    const cellsOf = (engine: Partial<SystemWords>) =>
      columns.map((column) => shown(new Map(Object.entries(engine)).get(column)))
    const [bash, strands] = [cellsOf(words.bash), cellsOf(words.strands)]
    const jails = words.jail === undefined ? [] : [[name, 'jail', ...cellsOf(words.jail)]]
    if (String(bash) === String(strands)) return [[name, 'both', ...bash], ...jails]
    return [[name, 'bash', ...bash], [name, 'Strands Shell', ...strands], ...jails]
  })
  const head = ['the system has', 'shell', ...columns]
  return [head, head.map(() => '---'), ...rows].map(line).join('\n')
}

function shown(word = '—'): string {
  const [code, cause] = word.split(' ')
  if (code === undefined || !/^[A-Z_]{5,}$/.test(code)) return word
  return cause === undefined ? `\`${code}\`` : `\`${code}\`, cause \`${cause}\``
}
