import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { program } from '../fixtures/program.ts'
import { byTier } from '../support/tier.ts'
import { Replacements } from './mirror-progress.ts'

const names = Array.from({ length: 40 }, (_, index) => `file${index}`)
const script = program('test/faults/children/mirror-writes.ts')
/** Processes that are killed; set `MIRROR_KILLS` for many more. */
const kills = Number(process.env['MIRROR_KILLS'] ?? byTier({ default: 3, full: 10 }))
const isTemporary = (name: string) => /^\.strands-shell-[0-9a-f]{16}\.tmp$/.test(name)

it('a process that is killed while it writes leaves each host file whole, old or new', {
  timeout: 60_000 + kills * 30_000,
}, async () => {
  const root = mkdtempSync(join(tmpdir(), 'mirror-kill-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [script, root, names.join(',')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    try {
      await Promise.race([once(child.stdout, 'data'), ended])
      const progress = new Replacements(names.map((name) => `${root}/${name}`))
      // Of the files of one command, some were replaced and others were not: the next ones are being written.
      const least = 1 + ((kill * 7) % (names.length - 1))
      while (!(await progress.caught(least, () => child.exitCode !== null))) {
        expect(child.exitCode, 'it writes until it is killed').toBeNull()
        progress.restart()
      }
    } finally {
      child.kill('SIGKILL')
    }
    expect((await ended)[1]).toBe('SIGKILL')
    const versions = names.map((name) => {
      const whole = /^(\d+):x{20000}:\1$/.exec(readFileSync(`${root}/${name}`, 'utf8'))
      expect(whole, `${name} after kill ${kill}`).not.toBeNull()
      return Number(whole?.[1])
    })
    expect(Math.max(...versions) - Math.min(...versions)).toBeLessThanOrEqual(1)
    expect(
      readdirSync(root)
        .filter((name) => !isTemporary(name))
        .sort(),
    ).toEqual([...names].sort())
  }
})

it('does not mirror the temporary files of a killed process, and removes them after an hour', async () => {
  const root = mkdtempSync(join(tmpdir(), 'mirror-left-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const left = ['.strands-shell-0123456789abcdef.tmp', '.strands-shell-fedcba9876543210.tmp'] as const
  for (const name of left) writeFileSync(`${root}/${name}`, 'half')
  writeFileSync(`${root}/file`, 'whole')
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  utimesSync(`${root}/${left[0]}`, minutesAgo(61), minutesAgo(61))
  utimesSync(`${root}/${left[1]}`, minutesAgo(59), minutesAgo(59))
  await using sandbox = new StrandsShellSandbox({ binds: [{ source: root, destination: '/work' }] })
  expect((await sandbox.listFiles('/work')).map(({ name }) => name)).toEqual(['file'])
  expect(readdirSync(root).sort()).toEqual([left[1], 'file'])
  utimesSync(`${root}/${left[1]}`, minutesAgo(61), minutesAgo(61))
  expect((await sandbox.execute('ls -a /work')).stdout).toBe('.\n..\nfile\n')
  expect(readdirSync(root)).toEqual(['file'])
})
