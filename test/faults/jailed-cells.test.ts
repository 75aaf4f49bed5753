import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HostedSandbox, ShellHost, ShellHostOptions, StrandsShellConfig } from '../../src/index.ts'
import { cellPids } from '../places/cells/cell-pids.ts'
import { cellHost, ofCell } from '../places/cells/helpers.ts'
import { noJails } from '../support/jail.ts'
import { isFull } from '../support/tier.ts'
import { endOf, until, within } from './helpers.ts'

const mebibyte = 2 ** 20

/** Sandboxes of one cell, and another one that has its own. */
interface Scene {
  readonly host: ShellHost
  /** The process of the cell. */
  readonly cell: number
  readonly culprit: HostedSandbox
}

/** Something that goes wrong with a cell in a jail, where the system of the jail is part of the way. */
interface Fault {
  readonly name: string
  readonly host?: ShellHostOptions
  /** What the sandbox runs that the fault comes from; absent: it comes from outside. */
  readonly command?: string
  readonly strike?: (scene: Scene) => unknown
  /** How the calls end that it strikes: a code, and that of its cause. */
  readonly word: string
  readonly takes: 'the cell' | 'the session' | 'the host'
  /** Whether it strikes in the default tier. There inputs that kill strike jailed cells elsewhere, too. */
  readonly isDefault?: boolean
}

const faults: readonly Fault[] = [
  {
    name: 'its process is killed',
    strike: ({ cell }) => process.kill(cell, 'SIGKILL'),
    word: 'WORKER_LOST CELL_EXITED',
    takes: 'the cell',
  },
  {
    name: 'its process stands still',
    strike: ({ cell }) => process.kill(cell, 'SIGSTOP'),
    word: 'WORKER_LOST CELL_STALLED',
    takes: 'the cell',
  },
  {
    name: 'bubblewrap is killed',
    strike: ({ cell }) => process.kill(outermost(cell), 'SIGKILL'),
    word: 'WORKER_LOST CELL_EXITED',
    takes: 'the cell',
    isDefault: true,
  },
  {
    name: 'the engine aborts',
    command: 'echo | tail -n 100000000000',
    word: 'WORKER_LOST CELL_EXITED',
    takes: 'the cell',
    isDefault: true,
  },
  {
    name: 'the engine panics',
    command: 'find /tmp -maxdepth 0 -exec [ a = ] \\;',
    word: 'WORKER_LOST ENGINE_PANIC',
    takes: 'the session',
  },
  {
    name: 'a command ignores its deadline',
    command: 'cat /dev/zero >/dev/null',
    word: 'WORKER_LOST DEADLINE_IGNORED',
    takes: 'the session',
    isDefault: true,
  },
  {
    name: 'a command takes all memory',
    command: 'x=a; while :; do x=$x$x; done',
    host: { maxCellMemory: 512 * mebibyte },
    word: 'MEMORY_LIMIT CELL_MEMORY',
    takes: 'the cell',
  },
  {
    name: 'its host is closed',
    strike: ({ host }) => host.close(),
    word: 'WORKER_LOST HOST_CLOSED',
    takes: 'the host',
    isDefault: true,
  },
]
const shells = ['strands', 'bash'] as const
/** In the default tier each fault strikes one shell. Those of a command are of Strands Shell: bash has no native part. */
const rows = shells.flatMap((shell) =>
  faults
    .filter(({ isDefault }) => isFull || isDefault === true)
    .filter(
      ({ command, takes }) =>
        shell === (takes === 'the host' ? 'bash' : 'strands') || (isFull && command === undefined),
    )
    .map((fault) => ({ ...fault, shell })),
)

describe.skipIf(noJails !== undefined)(
  'a cell in a jail settles each call, and its host goes on, where',
  () => {
    it.each(rows)('$name: $shell', async ({ shell, command, strike, word, takes, host: options }) => {
      const host = cellHost({ hardening: 'require', sandboxesPerCell: 4, ...options })
      const open = (cell: number, timeout = 60) => openShell(host, shell, { timeout, ...ofCell(cell) })
      const before = new Set(cellPids())
      const culprit = await open(0, takes === 'the session' ? 1 : 60)
      const [cell] = cellPids().filter((pid) => !before.has(pid))
      if (cell === undefined) throw new Error('no cell was started')
      // While there are fewer cells than there may be, each sandbox gets its own.
      const [elsewhere, beside, idle] = [await open(1), await open(0), await open(0)]
      const all = [culprit, beside, idle, elsewhere]
      await Promise.all(all.map((sandbox) => sandbox.execute('echo kept > /tmp/mark')))

      const calls = [
        wordOf(beside.execute('sleep 30', { timeout: 20 })),
        wordOf(beside.readFile('/tmp/mark')),
      ]
      await until(() => host.stats().running === 1)
      const own = [wordOf(culprit.execute(command ?? 'sleep 30')), wordOf(culprit.writeText('/tmp/a', 'a'))]
      if (strike !== undefined) await until(() => host.stats().running === 2)
      await strike?.({ host, cell, culprit })

      expect(await within(60, Promise.all(own))).toEqual([word, word])
      if (takes === 'the session') {
        expect(await lookOf(idle)).toBe('kept')
      } else {
        expect(await within(60, Promise.all(calls))).toEqual([word, word])
        await until(() => !cellPids().includes(cell))
      }
      if (takes === 'the host') return
      expect([await lookOf(elsewhere), elsewhere.generation]).toEqual(['kept', 1])
      // A session of bash goes on from its last call.
      const lost = shell === 'bash' ? 'kept' : 'fresh'
      for (const sandbox of takes === 'the cell' ? [culprit, beside, idle] : [culprit])
        expect(await lookAgain(sandbox)).toBe(lost)
      const further = await open(0)
      expect(await wordOf(further.execute('true'))).toBe('done')
      expect(host.stats().hardening?.cells).toBe('jail')
    })
  },
)

/** What the hosts of these rows open. */
type Config = Pick<StrandsShellConfig, 'timeout' | 'allowedUrls'>

function openShell(host: ShellHost, shell: 'bash' | 'strands', config: Config): Promise<HostedSandbox> {
  return shell === 'bash' ? host.open({ ...config, shell }) : host.open(config)
}

/** The process of a cell that its host has started. */
function outermost(pid: number): number {
  const [, parent = '0'] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
  return Number(parent) === process.pid ? pid : outermost(Number(parent))
}

async function wordOf(call: Promise<unknown>): Promise<string> {
  const end = await endOf(call)
  if (typeof end !== 'object' || end === null || !('code' in end)) return 'done'
  return 'cause' in end ? `${end.code} ${end.cause}` : String(end.code)
}

/** What a sandbox finds of its session. */
async function lookOf(sandbox: HostedSandbox): Promise<string> {
  return (await within(60, sandbox.execute('cat /tmp/mark || echo fresh'))).stdout.trim()
}

/** The same, where the first call may be told of the loss. */
async function lookAgain(sandbox: HostedSandbox): Promise<string> {
  return lookOf(sandbox).catch(() => lookOf(sandbox))
}
