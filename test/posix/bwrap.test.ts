import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { CommandSandbox } from '../../src/posix/index.ts'
import { factsOf } from '../strands-shell/support/failure.ts'
import { countRunning, uniqueSleep } from './support/processes.ts'
import { result } from './support/result.ts'
import { until } from './support/until.ts'

const command = [
  'bwrap',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--tmpfs',
  '/tmp',
  '--unshare-all',
]
const { error, stderr, status } = spawnSync('bwrap', [...command.slice(1), 'true'])
const missing = error?.message ?? (status === 0 ? undefined : stderr.toString().trim())

describe.skipIf(missing !== undefined)(
  `a shell in bwrap${missing === undefined ? '' : `: ${missing}`}`,
  () => {
    it('sees its own namespace alone', async () => {
      const sandbox = new CommandSandbox({ command, cwd: '/tmp' })
      expect(await sandbox.execute('ls -A; ps -e | grep -c vitest; echo a > /etc/x', {})).toEqual(
        result({ exitCode: 2, stdout: '0\n', stderr: expect.stringMatching(/Read-only file system/i) }),
      )
      expect(await factsOf(sandbox.writeFile('/etc/x', new Uint8Array(1)))).toMatchObject({
        code: 'PERMISSION_DENIED',
      })
    })

    it('is stopped with all that it started', async () => {
      const time = uniqueSleep()
      const sandbox = new CommandSandbox({ command, killGrace: 0.2 })
      const call = sandbox.execute(`(trap '' TERM; sleep ${time}; sleep ${time}) & sleep ${time}`, {
        timeout: 0.5,
      })
      expect(await factsOf(call)).toMatchObject({ code: 'TIMEOUT' })
      await until(() => countRunning(`sleep ${time}`) === 0)
    })
  },
)
