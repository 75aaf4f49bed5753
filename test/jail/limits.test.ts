import { describe, expect, it } from 'vitest'
import { findGroupParents } from '../../src/control-groups/group-parents.ts'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'

const hasGroups = findGroupParents() !== undefined

describe.skipIf(noJails !== undefined || !hasGroups)('the limits of a jail', () => {
  it('contain what starts processes without end, and say so', async () => {
    await using sandbox = await JailSandbox.open({ limits: { maxProcesses: 30 } })
    await sandbox.execute('kept=1')
    const { stderr } = await sandbox.execute(
      "sh -c 'while :; do sleep 20 & done'; kill %% 2>/dev/null; pkill sleep",
    )
    expect(stderr).toContain(
      'bash: limits.maxProcesses was reached: no more than 30 processes and threads at once. Raise it, or start fewer\n',
    )
    expect((await sandbox.execute('echo $kept')).stdout).toBe('1\n')
  })

  it('contain what takes memory without end, and say so', async () => {
    await using sandbox = await JailSandbox.open({ limits: { maxMemory: 2 ** 27 } })
    const { exitCode, stderr } = await sandbox.execute(
      'kept=1; head -c 512M /dev/zero | tail -c 511M > /dev/null',
    )
    expect(exitCode).toBe(137)
    expect(stderr).toContain('bash: a program was ended: limits.maxMemory was reached: 134217728 bytes')
    expect(await sandbox.execute('echo $kept; false')).toMatchObject({ stdout: '1\n', stderr: '' })
  })
})

describe.skipIf(noJails !== undefined)('the limits of processes in a jail', () => {
  it('are those of its files', async () => {
    await using sandbox = await JailSandbox.open({ limits: { maxFileSize: 2 ** 20, maxOpenFiles: 70 } })
    const { stdout, exitCode } = await sandbox.execute(
      'ulimit -n; ulimit -c; head -c 2M /dev/zero > /tmp/big',
    )
    expect([stdout, exitCode]).toEqual(['70\n0\n', 153])
  })

  it('leave a shell that ends the room for its state', async () => {
    await using sandbox = await JailSandbox.open({ limits: { maxFileSize: 600 } })
    expect((await sandbox.execute('kept=1; exit 3')).exitCode).toBe(3)
    expect((await sandbox.execute('echo $kept')).stdout).toBe('1\n')
  })
})
