import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type StrandsShellConfig, StrandsShellSandbox } from '../../src/index.ts'
import { contentsOf, traceOf } from '../worker/engines/strands/mirror/host/scratch.ts'
import { closed, endOf, timedOut } from './helpers.ts'

function mirrored(config: StrandsShellConfig = {}): { root: string; sandbox: StrandsShellSandbox } {
  const root = mkdtempSync(join(tmpdir(), 'mirror-interrupt-'))
  const sandbox = new StrandsShellSandbox({ ...config, binds: [{ source: root, destination: '/work' }] })
  onTestFinished(async () => {
    await sandbox.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { root, sandbox }
}

/** Some hundred files of one text each, in one command. */
function writeMany(text: string): string {
  return Array.from({ length: 300 }, (_, index) => `echo ${text} > /work/file${index}`).join('\n')
}

/** Every file but those that a write under way was interrupted at: they stay for a while. */
function wholeFiles(root: string): [name: string, content: string][] {
  return Object.entries(contentsOf(root)).filter(([name]) => !name.endsWith('.tmp'))
}

describe('a session given up at a timeout', () => {
  it('writes nothing more to the host: the next one is not overwritten', async () => {
    const { root, sandbox } = mirrored({ onInterrupt: 'reset' })
    await sandbox.execute('echo begun > /work/a')
    expect(await endOf(sandbox.execute('echo old > /work/a; sleep 0.5', { timeout: 0.1 }))).toEqual(timedOut)
    await sandbox.execute('echo new > /work/b; cat /work/a')
    const trace = traceOf(root)
    await sleep(800)
    expect(traceOf(root)).toEqual(trace)
    expect(contentsOf(root)).toEqual({ a: 'begun\n', b: 'new\n' })
  })

  it('at any moment leaves files whole, old or new, and the next session goes on from there', async () => {
    const { root, sandbox } = mirrored({ onInterrupt: 'reset' })
    await sandbox.execute(writeMany('0-whole'))
    for (let round = 1; round <= 8; round++) {
      const text = `${round}-whole`
      await sandbox.execute(writeMany(text), { timeout: 0.001 + Math.random() * 0.08 }).catch(() => undefined)
      const seen = wholeFiles(root)
      expect(seen).toHaveLength(300)
      for (const [name, content] of seen) expect(content, name).toMatch(/^\d-whole\n$/)
    }
    await sandbox.execute(writeMany('last'))
    const trace = traceOf(root)
    await sleep(300)
    expect(traceOf(root)).toEqual(trace)
    expect(new Set(wholeFiles(root).map(([, content]) => content))).toEqual(new Set(['last\n']))
  })
})

describe('close()', () => {
  it('during a command: what it changes does not come to the host any more', async () => {
    const { root, sandbox } = mirrored()
    await sandbox.execute('echo begun > /work/a')
    const call = endOf(sandbox.execute('echo late > /work/a; sleep 0.4; echo late > /work/b'))
    await sleep(100)
    await sandbox.close()
    const trace = traceOf(root)
    expect(await call).toEqual(closed)
    await sleep(700)
    expect(traceOf(root)).toEqual(trace)
    expect(contentsOf(root)).toEqual({ a: 'begun\n' })
  })

  it.for([0, 10, 20, 30, 40, 60, 80])(
    'while files are being written, after %i ms: nothing once it has resolved',
    async (wait) => {
      const { root, sandbox } = mirrored()
      await sandbox.execute(writeMany('old'))
      const call = endOf(sandbox.execute(writeMany('new')))
      await sleep(wait)
      await sandbox.close()
      const trace = traceOf(root)
      await call
      await sleep(250)
      expect(traceOf(root)).toEqual(trace)
      for (const content of Object.values(contentsOf(root))) expect(content).toMatch(/^(?:old|new)\n$/)
    },
  )
})
