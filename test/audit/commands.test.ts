import { expect, it, onTestFinished } from 'vitest'
import {
  auditLog,
  type EngineName,
  type HostedSandbox,
  SandboxError,
  type ShellHost,
} from '../../src/index.ts'
import { faultyWorker, makeHost } from '../faults/helpers.ts'
import { cellPids } from '../places/cells/cell-pids.ts'
import { cellHost } from '../places/cells/helpers.ts'
import { byTier } from '../support/tier.ts'
import { linesIn, logPath, textOf } from './support.ts'

const { sandboxes, commands } = byTier({
  default: { sandboxes: 10, commands: 400 },
  full: { sandboxes: 50, commands: 100_000 },
})

/** How a call has ended, for its caller or in the log. */
type End = number | string

/** What the caller of one sandbox saw. */
interface Seen {
  /** The ends of the calls of each command, by its text. */
  readonly ends: Map<string, End>
  /** The texts in the order of their groups: calls of one group were made at once. */
  readonly groups: (readonly string[])[]
}

/** The same numbers in every run of a seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Makes calls, some of which fail, one group after another. */
async function use(host: ShellHost<EngineName>, id: string, count: number, seed: number): Promise<Seen> {
  const random = randomOf(seed)
  const seen: Seen = { ends: new Map(), groups: [] }
  const shell = seed % 2 === 0 ? 'strands' : 'bash'
  const sandbox = await opened(host, id, shell)
  for (let made = 0; made < count; ) {
    const texts = Array.from({ length: Math.min(1 + random(3), count - made) }, () => `${id} ${++made}`)
    seen.groups.push(texts)
    await Promise.all(
      texts.map(async (text) => {
        const kind = random(200)
        const call = () => {
          if (kind === 0) return sandbox.execute(`sleep 1; : ${text}`, { timeout: 0.01 })
          if (kind === 1) return sandbox.execute(`sleep 1; : ${text}`, { signal: AbortSignal.timeout(5) })
          if (kind === 2) return sandbox.execute(`: ${text}`, { signal: AbortSignal.abort() })
          if (kind === 3) return sandbox.executeCode(`: ${text}`, 'no-language')
          return sandbox.execute(`(exit ${kind % 4}); # ${text}`)
        }
        seen.ends.set(text, await call().then(({ exitCode }) => exitCode, codeOf))
      }),
    )
    if (random(150) > 0) continue
    // It ends the cell, or a worker without a native call, and with it the sessions of others.
    if (host.isolation === 'process') killCell()
    else if (shell === 'bash') await sandbox.execute('fault exit').catch(codeOf)
  }
  return seen
}

/** Opens a sandbox, again where a fault came upon it. */
async function opened(host: ShellHost<EngineName>, id: string, shell: EngineName): Promise<HostedSandbox> {
  for (;;) {
    try {
      return await host.getOrOpen(id, { shell })
    } catch (error) {
      if (codeOf(error) !== 'WORKER_LOST') throw error
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof SandboxError) return error.code
  throw error
}

it(
  'has each command once, in order, as it has ended, whatever happens to workers and cells',
  async () => {
    const file = await logPath()
    const audit = auditLog({ file, maxBytes: 2 ** 20, keep: 1000, events: 'all' })
    onTestFinished(() => audit.close())
    const threads = makeHost({ isolation: 'shared', workerUrl: faultyWorker, sandboxesPerWorker: 5, audit })
    const cells = cellHost({ maxCells: 4, sandboxesPerCell: 8, cellBackoff: 0.05, audit })
    const users = Array.from({ length: sandboxes }, (_, index) => {
      const host: ShellHost<EngineName> = index % 5 === 4 ? cells : threads
      return [`agent-${index}`, use(host, `agent-${index}`, commands / sandboxes, index + 1)] as const
    })
    const seen = new Map(await Promise.all(users.map(async ([id, end]) => [id, await end] as const)))
    await Promise.all([threads.close(), cells.close()])
    expect(audit.stats()).toMatchObject({ dropped: 0, waiting: 0, problem: undefined })

    const lines = linesIn(await textOf(file))
    const told = new Map<string, { text: string; end: End }[]>([...seen.keys()].map((id) => [id, []]))
    const sequences = new Map<unknown, number>()
    const gaps: unknown[] = []
    for (const { kind, id, sandbox, sequence, command, exitCode, error } of lines) {
      const last = sequences.get(sandbox) ?? 0
      if (sequence !== last + 1) gaps.push([id, kind, last, sequence])
      sequences.set(sandbox, Number(sequence))
      const text = /agent-\d+ \d+/.exec(String(command))?.[0]
      if (kind === 'command' && text !== undefined) {
        told.get(String(id))?.push({ text, end: error === undefined ? Number(exitCode) : String(error) })
      }
    }
    expect(gaps).toEqual([])
    for (const [id, { ends, groups }] of seen) {
      const calls = told.get(id) ?? []
      const unlike = calls.filter(({ text, end }) => ends.get(text) !== end)
      expect([id, unlike, calls.length]).toEqual([id, [], ends.size])
      // Those of a group may end in any order; no call comes twice, or in another group.
      let at = 0
      for (const group of groups) {
        expect(
          calls
            .slice(at, at + group.length)
            .map(({ text }) => text)
            .sort(),
        ).toEqual([...group].sort())
        at += group.length
      }
    }
    const ends = [...seen.values()].flatMap((one) => [...one.ends.values()])
    expect(ends).toHaveLength(commands)
    expect(codesIn(ends)).toEqual(expect.arrayContaining(['ABORTED', 'TIMEOUT']))
  },
  byTier({ default: 60_000, full: 3_600_000 }),
)

function codesIn(ends: readonly End[]): readonly string[] {
  return [...new Set(ends.filter((end) => typeof end === 'string'))]
}

/** Kills a cell with all that is in it. */
function killCell(): void {
  const [pid] = cellPids()
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It has ended since the list was made.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
