import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type BindConfig,
  type ShellHost,
  type StrandsShellConfig,
  StrandsShellSandbox,
} from '../../src/index.ts'
import { byTier } from '../support/tier.ts'
import { contentsOf, traceOf } from '../worker/host-files/scratch.ts'
import { aborted, closed, endOf, makeHost, timedOut, until, watchWorkers } from './helpers.ts'
import { holdPoint, Replacements } from './mirror-progress.ts'

interface Mirrored {
  readonly root: string
  readonly host: ShellHost
  /** Opens a sandbox with the root at `/work`. */
  open(config?: StrandsShellConfig, ...binds: BindConfig[]): Promise<StrandsShellSandbox>
  /** Resolves when every thread that could write to the host has ended. */
  threadsEnded(): Promise<void>
}

/** A directory, and a host whose threads end as soon as they are free. */
function mirrored(): Mirrored {
  const root = mkdtempSync(join(tmpdir(), 'mirror-interrupt-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const workers = watchWorkers()
  const host = makeHost({ maxIdleWorkers: 0 })
  return {
    root,
    host,
    open: (config = {}, ...binds) =>
      StrandsShellSandbox.open(
        { ...config, binds: [{ source: root, destination: '/work' }, ...binds] },
        { host },
      ),
    threadsEnded: () => until(() => workers.every(({ threadId }) => threadId === -1)),
  }
}

const names = Array.from({ length: 300 }, (_, index) => `file${index}`)

/** Writes one text to all files, in one command. */
function writeAll(text: string): string {
  return names.map((name) => `echo ${text} > /work/${name}`).join('\n')
}

/**
 * The content of every file. A write that was interrupted leaves a temporary file for an hour, or its thread, which is ending,
 * still moves it: these are not looked at.
 */
function wholeFiles(root: string): [name: string, content: string][] {
  const found = readdirSync(root).filter((name) => !name.endsWith('.tmp'))
  return found.map((name) => [name, readFileSync(join(root, name), 'utf8')])
}

describe('an interrupted session', () => {
  it.each([
    ['a timeout', timedOut],
    ['an abort', aborted],
  ])(
    'writes nothing more to the host after %s: the next session is not overwritten',
    async (how, failure) => {
      const { root, open, threadsEnded } = mirrored()
      const hold = holdPoint()
      const sandbox = await open({ onInterrupt: 'reset' }, hold.bind)
      await sandbox.execute('echo begun > /work/a')
      const abort = new AbortController()
      const options = failure === timedOut ? { timeout: 2 } : { signal: abort.signal }
      const call = endOf(sandbox.execute(`echo old > /work/a; ${hold.command}`, options))
      await hold.reached()
      abort.abort()
      expect(await call, how).toEqual(failure)
      await sandbox.execute('echo new > /work/b; cat /work/a')
      const trace = traceOf(root)
      hold.release()
      await sandbox.close()
      await threadsEnded()
      expect(traceOf(root)).toEqual(trace)
      expect(contentsOf(root)).toEqual({ a: 'begun\n', b: 'new\n' })
    },
  )

  it('leaves files whole, old or new, and the next session goes on from there', async () => {
    const { root, open, threadsEnded } = mirrored()
    const sandbox = await open({ onInterrupt: 'reset' })
    await sandbox.execute(writeAll('0-whole'))
    const progress = new Replacements(names.map((name) => `${root}/${name}`))
    const moments = byTier({ default: [1, 120, 240], full: [1, 40, 80, 120, 160, 200, 240, 280] })
    for (let round = 1; moments.length > 0; round++) {
      progress.restart()
      const abort = new AbortController()
      let isOver = false
      const call = endOf(sandbox.execute(writeAll(`${round}-whole`), { signal: abort.signal })).finally(
        () => {
          isOver = true
        },
      )
      // A round that was too fast to be interrupted is repeated.
      if (await progress.caught(moments[0] ?? 0, () => isOver)) moments.shift()
      abort.abort()
      await call
      const seen = wholeFiles(root)
      expect(seen).toHaveLength(names.length)
      for (const [name, content] of seen) expect(content, name).toMatch(/^\d+-whole\n$/)
    }
    await sandbox.execute(writeAll('last'))
    const trace = traceOf(root)
    await sandbox.close()
    await threadsEnded()
    expect(traceOf(root)).toEqual(trace)
    expect(new Set(wholeFiles(root).map(([, content]) => content))).toEqual(new Set(['last\n']))
  })
})

describe('close()', () => {
  it('during a command: its changes are not written to the host', async () => {
    const { root, open, threadsEnded } = mirrored()
    const hold = holdPoint()
    const sandbox = await open({}, hold.bind)
    await sandbox.execute('echo begun > /work/a')
    const call = endOf(sandbox.execute(`echo late > /work/a; ${hold.command}; echo late > /work/b`))
    await hold.reached()
    await sandbox.close()
    const trace = traceOf(root)
    expect(await call).toEqual(closed)
    hold.release()
    await threadsEnded()
    expect(traceOf(root)).toEqual(trace)
    expect(contentsOf(root)).toEqual({ a: 'begun\n' })
  })

  it.for(byTier({ default: [1, 120, 240], full: [1, 60, 120, 180, 240] }))(
    'after %i of 300 files were written: writes nothing once it has resolved',
    async (least) => {
      const { root, open, threadsEnded } = mirrored()
      for (const name of names) writeFileSync(`${root}/${name}`, 'old\n')
      const progress = new Replacements(names.map((name) => `${root}/${name}`))
      for (let isCaught = false, round = 1; !isCaught; round++) {
        const sandbox = await open()
        progress.restart()
        let isOver = false
        const call = endOf(sandbox.execute(writeAll(`new${round}`))).finally(() => {
          isOver = true
        })
        // A command that was too fast to be caught is repeated.
        isCaught = await progress.caught(least, () => isOver)
        await sandbox.close()
        const trace = traceOf(root)
        await call
        await threadsEnded()
        expect(traceOf(root)).toEqual(trace)
        for (const content of Object.values(contentsOf(root))) expect(content).toMatch(/^(?:old|new\d+)\n$/)
      }
    },
  )
})
