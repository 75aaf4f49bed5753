import { describe, expect, it } from 'vitest'
import { holdPoint } from '../faults/mirror-progress.ts'
import { type Backend, backends } from './support/backend.ts'
import { deadlineMessage, result } from './support/expected.ts'
import { factsOf } from './support/failure.ts'
import { hostDirectory, plant, treeOf } from './support/host-tree.ts'

const timedOut = { name: 'SandboxTimeoutError', code: 'TIMEOUT', stdout: '', stderr: '' }

describe.each(backends)('a mirrored bind in an unusual session ($name)', session)

function session(backend: Backend): void {
  it.each([
    '[() { touch /work/made; }',
    'test() { touch /work/made; }; alias [=test',
    'function [ { touch /work/made; }',
    'eval "[() { touch /work/made; }"',
    'echo "[() { touch /work/made; }" > /tmp/lib; . /tmp/lib',
  ])('writes what `[` does where it is not the one of the shell: %s', async (redefine) => {
    const source = await hostDirectory({ file: '' })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    await sandbox.execute(redefine)
    await sandbox.execute('[ ]')
    expect(await treeOf(source)).toEqual({ file: '', made: '' })
    expect((await sandbox.changes()).changes.map(({ path }) => path)).toEqual(['/work/made'])
  })

  it.each(['rm /work/none', 'echo a > /work/a; (exit 1)', 'none; (exit 1)', 'f() { return 1; }; f', 'false'])(
    'keeps `$?` from one call to the next: %s',
    async (command) => {
      const sandbox = await backend.open({
        binds: [{ source: await hostDirectory({}), destination: '/work' }],
      })
      await sandbox.execute(command)
      expect(await sandbox.execute('echo $?')).toMatchObject({ stdout: '1\n' })
      await sandbox.execute(command)
      await sandbox.changes()
      await sandbox.writeText('/work/b', 'b')
      expect(await sandbox.execute('echo $?')).toMatchObject({ stdout: '1\n' })
    },
  )

  it.each([
    [
      'functions',
      'ls() { echo fake; }; chmod() { return 1; }; touch() { echo t; }; mkdir() { :; }; rm() { :; }; ln() { :; }; test() { :; }; pwd() { echo /; }; set() { :; }; unset() { :; }; echo() { printf "fake\\n"; }',
    ],
    [
      'aliases',
      "alias ls='echo fake' chmod=false touch=false mkdir=false rm=false ln=false echo=false test=false set=false unset=false",
    ],
    ['set -eu', 'set -eu'],
    ['set -x', 'set -x'],
    ['a directory that is gone', 'mkdir /tmp/d; cd /tmp/d; rm -r /tmp/d'],
    ['variables', 'IFS=/; PATH=/nowhere; PWD=/; HOME=/nowhere; LS=1'],
    ['traps', 'trap "echo bye > /tmp/bye" EXIT'],
    ['a changed umask', 'umask 777'],
  ])('mirrors in spite of %s', async (_what, setup) => {
    const source = await hostDirectory({ file: 'old\n', 'dir/in': 'i\n' })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    await sandbox.execute(setup)
    await plant(source, { 'new/late': 'host\n', link: '-> file' })
    expect((await sandbox.execute('cat /work/new/late')).stdout).toBe('host\n')
    await sandbox.execute(
      "printf 'new\\n' >> /work/file; printf 'm\\n' > /work/made; 'mv' /work/dir/in /work/moved",
    )
    const tree = {
      file: 'old\nnew\n',
      made: 'm\n',
      moved: 'i\n',
      'dir/': '',
      'new/': '',
      'new/late': 'host\n',
      link: '-> file',
    }
    expect(await treeOf(source)).toEqual(tree)
    await sandbox.writeText('/work/file', 'w')
    expect(await treeOf(source)).toEqual({ ...tree, file: 'w' })
    expect(sandbox.generation).toBe(1)
  })

  it('writes what a function named like a reading command changes', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    await sandbox.execute(
      'cat() { echo from a reader >> /work/file; }; alias head="echo h >> /work/file; true"',
    )
    await sandbox.execute('cat /work/file')
    await sandbox.execute('head /work/file')
    expect(await treeOf(source)).toEqual({ file: 'old\nfrom a reader\nh\n' })
  })

  it('writes what a command changed before it reached config.timeout', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }], timeout: 2 })
    expect(
      await sandbox.execute('echo 1 > /work/before; echo 2 >> /work/file; sleep 9; echo 3 > /work/after'),
    ).toEqual(result({ exitCode: 124, stderr: deadlineMessage, timedOut: true }))
    expect(await treeOf(source)).toEqual({ file: 'old\n2\n', before: '1\n' })
    expect(sandbox.generation).toBe(1)
  })

  it('mirrors a thousand files under a timeout of a fifth of a second', async () => {
    const tree = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`d${n % 10}/f${n}`, String(n)]))
    const source = await hostDirectory(tree)
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }], timeout: 0.2 })
    expect(await sandbox.execute('echo more >> /work/d0/f0; rm /work/d1/f1')).toEqual(result())
    const { 'd1/f1': _gone, ...rest } = tree
    expect(await treeOf(source)).toMatchObject({ ...rest, 'd0/f0': '0more\n' })
    expect(Object.keys(await treeOf(source)).length).toBe(1009)
  })

  it('writes the changes of a command that goes on after its call’s timeout, under keep, when it has ended', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const hold = holdPoint()
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }, hold.bind] })
    const command = `echo 1 > /work/first; ${hold.command}; echo 2 > /work/second`
    const call = factsOf(sandbox.execute(command, { timeout: 1 }))
    await hold.reached()
    expect(await call).toEqual(timedOut)
    expect(await treeOf(source)).toEqual({ file: 'old\n' })
    hold.release()
    expect(await sandbox.execute('cat /work/first /work/second')).toEqual(result({ stdout: '1\n2\n' }))
    expect(await treeOf(source)).toEqual({ file: 'old\n', first: '1\n', second: '2\n' })
  })

  it('writes nothing of a command whose call timed out, under reset, and starts the next session with the host’s files', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const hold = holdPoint()
    const sandbox = await backend.open({
      binds: [{ source, destination: '/work' }, hold.bind],
      onInterrupt: 'reset',
    })
    await sandbox.execute('echo kept > /work/kept')
    const command = `echo half > /work/file; echo n > /work/new; ${hold.command}; echo late > /work/late`
    const call = factsOf(sandbox.execute(command, { timeout: 1 }))
    await hold.reached()
    expect(await call).toEqual(timedOut)
    expect(await sandbox.execute('cat /work/*')).toEqual(result({ stdout: 'old\nkept\n' }))
    expect(sandbox.generation).toBe(2)
    hold.release()
    // Where its shell still exists, the first command ends during this one.
    await sandbox.execute('sleep 0.5; echo second > /work/second')
    expect(await treeOf(source)).toEqual({ file: 'old\n', kept: 'kept\n', second: 'second\n' })
  })

  it('keeps the host’s files as the last call left them when the session is lost', async () => {
    const source = await hostDirectory({ file: 'old\n' })
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    await sandbox.execute('echo kept >> /work/file')
    const panic = 'echo lost >> /work/file; find /tmp -maxdepth 0 -exec [ a = ] \\;'
    expect(await factsOf(sandbox.execute(panic))).toEqual({ name: 'WorkerLostError', code: 'WORKER_LOST' })
    expect(await treeOf(source)).toEqual({ file: 'old\nkept\n' })
    expect(await sandbox.execute('cat /work/file')).toEqual(result({ stdout: 'old\nkept\n' }))
  })

  it('shares a directory between two sandboxes from call to call', async () => {
    const source = await hostDirectory()
    const binds = [{ source, destination: '/work' }]
    const [one, two] = [await backend.open({ binds }), await backend.open({ binds })]
    for (let round = 0; round < 20; round++) {
      await one.execute(`echo one ${round} >> /work/log`)
      await two.execute(`echo two ${round} >> /work/log`)
    }
    const lines = Array.from({ length: 20 }, (_, round) => `one ${round}\ntwo ${round}\n`)
    expect(await treeOf(source)).toEqual({ log: lines.join('') })
  })
}
