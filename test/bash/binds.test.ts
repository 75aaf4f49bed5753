import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { MirrorError } from '../../src/index.ts'
import { result } from '../strands-shell/support/expected.ts'
import { hostDirectory, treeOf } from '../strands-shell/support/host-tree.ts'
import { levelsOrThread } from '../support/describe-engines.ts'
import { ownFieldsOf } from '../support/event-fields.ts'
import { traceOf } from '../worker/host-files/scratch.ts'

describe.each(levelsOrThread)('binds of a bash sandbox (%s)', (isolation) => {
  it('are live, read-only or a copy whose changes are reviewed and applied', async () => {
    const source = await hostDirectory({ plan: 'first\n', 'd/x': 'x' })
    await using sandbox = await BashSandbox.open({
      isolation,
      cwd: '/live',
      binds: [
        { source, destination: '/live' },
        { source, destination: '/ro', readonly: true },
        { source, destination: '/copy', mode: 'copy' },
      ],
    })
    const conflicts: unknown[] = []
    sandbox.on('conflict', (conflict) => conflicts.push(ownFieldsOf(conflict)))
    expect(await sandbox.execute('echo live > out; cat /ro/out; echo no > /ro/out')).toEqual(
      result({ exitCode: 1, stdout: 'live\n', stderr: 'bash: /ro/out: Read-only file system\n' }),
    )
    expect(await readFile(join(source, 'out'), 'utf8')).toBe('live\n')
    await sandbox.execute('cd /copy; cat plan; echo mine > plan; rm -r d')
    await writeFile(join(source, 'plan'), 'theirs\n')
    const { mark, changes } = await sandbox.changes()
    expect(changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
      'removed /copy/d',
      'removed /copy/d/x',
      'changed /copy/plan',
      'added /live/out',
    ])
    const conflict = { path: '/copy/plan', hostPath: join(source, 'plan'), kept: '/copy/plan.host-conflict' }
    expect(await sandbox.applyChanges({ bind: '/copy' })).toEqual({
      written: ['/copy/plan'],
      removed: ['/copy/d/x', '/copy/d'],
      conflicts: [conflict],
    })
    expect(conflicts).toEqual([conflict])
    expect((await sandbox.changes({ since: mark })).changes).toEqual([])
    expect(await treeOf(source)).toEqual({ out: 'live\n', plan: 'mine\n', 'plan.host-conflict': 'theirs\n' })
    await expect(sandbox.applyChanges({ bind: '/live' })).rejects.toMatchObject({ field: 'bind' })
    expect(await sandbox.describe()).toMatchObject({
      binds: [
        { source, destination: '/live', mode: 'direct', readonly: false },
        { source, destination: '/ro', mode: 'direct', readonly: true },
        { source, destination: '/copy', mode: 'copy', readonly: false },
      ],
      skipped: [],
    })
  })
})

describe('binds of a bash sandbox', () => {
  it('reject with MirrorError where the host refuses a change, and keep it', async () => {
    const source = await hostDirectory({ f: 'f' })
    await using sandbox = await BashSandbox.open({ binds: [{ source, destination: '/copy', mode: 'copy' }] })
    await sandbox.execute('rm /copy/f; ln -s x /copy/f; echo y > /copy/g')
    await rm(join(source, 'f'))
    await symlink('/elsewhere', join(source, 'f'))
    const error = await sandbox.applyChanges({ bind: '/copy' }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MirrorError)
    expect(error).toMatchObject({ written: ['/copy/g'], pending: [{ path: '/copy/f' }] })
    await rm(join(source, 'f'))
    expect(await sandbox.applyChanges({ bind: '/copy' })).toMatchObject({ written: ['/copy/f'] })
  })

  it('reject opening where a source is missing', async () => {
    await expect(
      BashSandbox.open({ binds: [{ source: '/no/such/directory', destination: '/work' }] }),
    ).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'binds[0].source' })
  })

  it('show and write nothing outside while the host exchanges a directory and a link', async () => {
    const home = await hostDirectory({ 'in/d/f': 'in\n', 'out/f': 'SECRET\n', 'out/secret': 'SECRET\n' })
    const source = join(home, 'in')
    const sandbox = await BashSandbox.open({
      binds: [
        { source, destination: '/live' },
        { source, destination: '/ro', readonly: true },
        { source, destination: '/copy', mode: 'copy' },
      ],
    })
    onTestFinished(() => sandbox.close())
    const before = traceOf(join(home, 'out'))
    const swapping = spawn(process.execPath, ['-e', SWAP, source, join(home, 'out')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => {
      swapping.kill('SIGKILL')
    })
    await once(swapping.stdout, 'data')
    const seen = new Set<string>()
    const start = Date.now()
    // Until both the directory and the link were met, too.
    while (Date.now() < start + 2000 || (seen.size < 2 && Date.now() < start + 30_000)) {
      const { stdout, stderr } = await sandbox.execute(ATTEMPT)
      expect(stdout + stderr).not.toContain('SECRET')
      for (const [word] of stdout.matchAll(/<(written|refused)>/g)) seen.add(word)
    }
    swapping.kill('SIGKILL')
    await once(swapping, 'exit')
    expect(traceOf(join(home, 'out'))).toEqual(before)
    expect(seen.size).toBe(2)
  })
})

/** Makes of `d` a link to outside and a directory again, until it is killed. */
const SWAP = `
const { renameSync, symlinkSync } = require('node:fs')
const [, source, out] = process.argv
process.chdir(source)
symlinkSync(out, 'link')
process.stdout.write('ready')
for (;;) {
  renameSync('d', 'away')
  renameSync('link', 'd')
  renameSync('d', 'link')
  renameSync('away', 'd')
}`

const ATTEMPT = `
for at in /live /ro /copy; do cat $at/d/f $at/d/secret; ls -l $at/d; grep -r SECRET $at; done
for at in /live /copy; do
  cd $at
  for i in 1 2 3 4 5 6 7 8 9; do if echo x > d/f; then echo '<written>'; else echo '<refused>'; fi; done
  echo x >> d/f; echo x > d/new; mkdir d/dir; ln -s f d/l; chmod 600 d/f; touch d/f; cp d/f d/g; mv d/g d/h
  rm -rf d/new d/dir d/l d/h d/secret
done`
