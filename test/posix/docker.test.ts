import { describe, expect, it } from 'vitest'
import { docker } from '../../src/posix/index.ts'
import { refusalOf } from '../sandbox/refusal.ts'
import { recordingClient } from './support/recorder.ts'
import { result } from './support/result.ts'

describe('docker', () => {
  it('runs a shell in the container with `docker exec -i`, and nothing else is in the arguments', async () => {
    const recorded = await recordingClient('docker', 'shift 3; exec "$@"')
    const sandbox = docker({ container: 'web-1', env: { TOKEN: 'secret' } })
    expect(await sandbox.execute('echo "$TOKEN"; cat')).toEqual(result({ stdout: 'secret\n' }))
    expect(recorded().slice(0, 5)).toEqual(['exec', '-i', 'web-1', 'sh', '-c'])
    expect(recorded().join(' ')).not.toMatch(/secret|TOKEN"/)
  })

  it('runs it as a user, in a shell of the container’s', async () => {
    const recorded = await recordingClient('docker', 'shift 5; exec "$@"')
    const sandbox = docker({ container: '0123abcd', user: '1000:1000', shell: '/bin/sh' })
    expect(await sandbox.execute('echo a')).toEqual(result({ stdout: 'a\n' }))
    expect(recorded().slice(0, 7)).toEqual(['exec', '-i', '--user', '1000:1000', '0123abcd', '/bin/sh', '-c'])
  })

  it.each(['', '-x', '--privileged', 'a b', 'a/b', 'a\n', '.a', 'é', undefined, 7])(
    'the container %j is refused',
    (container) => {
      expect(refusalOf(() => Reflect.apply(docker, undefined, [{ container }])).field).toBe('container')
    },
  )

  it.each(['', '-u', 'a b', 'a:', ':a', 'a:b:c', 'root\n', null])('the user %j is refused', (user) => {
    expect(refusalOf(() => Reflect.apply(docker, undefined, [{ container: 'a', user }])).field).toBe('user')
  })

  it('options that are none are refused by name', () => {
    const refused = (options: unknown) => refusalOf(() => Reflect.apply(docker, undefined, [options])).field
    expect(refused(undefined)).toBe('options')
    expect(refused({ container: 'a', privileged: true })).toBe('privileged')
    expect(refused({ container: 'a', command: [] })).toBe('command')
    expect(refused({ container: 'a', timeout: -1 })).toBe('timeout')
  })
})
