// Run by Jest against the installed package, in a context of its own: `npm run test:jest`.
import { expect, jest, test } from '@jest/globals'
import { SandboxConfigError, ShellHost, StrandsShellSandbox } from 'strands-shell-runtime'
import { BashSandbox } from 'strands-shell-runtime/bash'
import { allowCommands } from 'strands-shell-runtime/policy'

const hangGuard = 60_000

test.each(['worker', 'shared', 'process'])(
  'runs commands of both shells at %s',
  async (isolation) => {
    const host = new ShellHost({ isolation })
    try {
      for (const shell of ['strands', 'bash']) {
        const sandbox = await host.open({ shell })
        expect((await sandbox.execute('echo hi')).stdout).toBe('hi\n')
        await sandbox.writeFile('/tmp/a', new Uint8Array([1, 2, 3]))
        expect([...(await sandbox.readFile('/tmp/a'))]).toEqual([1, 2, 3])
        await expect(sandbox.readFile('/nope')).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
        await sandbox.close()
      }
    } finally {
      await host.close()
    }
  },
  hangGuard,
)

test(
  'keeps its time limits under fake timers',
  async () => {
    jest.useFakeTimers()
    const sandbox = await BashSandbox.open()
    try {
      expect((await sandbox.execute('echo hi')).stdout).toBe('hi\n')
      const endless = sandbox.execute('while :; do :; done', { timeout: 0.1 })
      await expect(endless).rejects.toMatchObject({ code: 'TIMEOUT' })
    } finally {
      await sandbox.close()
      jest.useRealTimers()
    }
  },
  hangGuard,
)

test('throws errors of its own classes', () => {
  expect(() => new StrandsShellSandbox({ nope: 1 })).toThrow(SandboxConfigError)
})

test(
  'has a policy decide',
  async () => {
    const sandbox = await BashSandbox.open({ policy: allowCommands(['echo']) })
    try {
      expect((await sandbox.execute('rm x')).exitCode).toBe(126)
      expect((await sandbox.execute('echo x')).exitCode).toBe(0)
    } finally {
      await sandbox.close()
    }
  },
  hangGuard,
)
