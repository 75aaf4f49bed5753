import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CommandSandbox, localShell, ssh } from '../../src/posix/index.ts'
import { SandboxConnectionError } from '../../src/sandbox/errors.ts'
import { failureOf } from '../strands-shell/support/failure.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { describeSsh } from './support/places.ts'
import { countRunning, uniqueSleep } from './support/processes.ts'
import { collect, result } from './support/result.ts'
import { startSshd } from './support/sshd.ts'
import { until } from './support/until.ts'

async function connectionFailure(call: Promise<unknown>) {
  const error = await failureOf(call)
  if (!(error instanceof SandboxConnectionError)) throw error
  const { code, started, stdout, stderr, message } = error
  return { code, started, stdout, stderr, message }
}

const failed = (message: unknown, started = false, stdout = '') => ({
  code: 'CONNECTION_FAILED',
  started,
  stdout,
  stderr: '',
  message,
})

describe('a shell that cannot be reached', () => {
  it('a missing program is no exit code, for commands, code and files', async () => {
    const sandbox = new CommandSandbox({ command: ['no-such-client', 'x'] })
    const expected = failed(
      'no-such-client could not be started: there is no such program on PATH. Install it, or name it by its path.',
    )
    for (const call of [
      () => sandbox.execute('a'),
      () => sandbox.executeCode('a', 'sh'),
      () => sandbox.readFile('a'),
    ]) {
      expect(await connectionFailure(call())).toEqual(expected)
    }
    expect((await connectionFailure(localShell({ shell: 'no-such-shell' }).execute('a'))).message).toContain(
      'no-such-shell could not be started',
    )
  })

  it('a program that may not be run says so', async () => {
    const directory = await temporaryDirectory()
    writeFileSync(join(directory, 'client'), '')
    const error = await connectionFailure(
      new CommandSandbox({ command: [join(directory, 'client')] }).execute('a'),
    )
    expect(error).toEqual(failed(expect.stringContaining('EACCES')))
  })

  it('a client that fails gives its exit code and its words', async () => {
    const sandbox = new CommandSandbox({ command: ['sh', '-c', 'echo told; echo why >&2; exit 7'] })
    expect(await connectionFailure(sandbox.execute('a'))).toEqual(
      failed('sh ended with exit code 7 before the command had begun: why'),
    )
  })

  it('a client that does not pass standard input on is told from a command', async () => {
    const sandbox = new CommandSandbox({ command: ['sh', '-c', 'exec "$0" "$@" < /dev/null'] })
    expect(await connectionFailure(sandbox.execute('echo ran'))).toEqual(
      failed(expect.stringContaining('The command did not arrive on standard input.')),
    )
  })

  it('half a command is never run', async () => {
    const sandbox = new CommandSandbox({ command: ['sh', '-c', 'head -c 40 | "$0" "$@"'] })
    const error = await connectionFailure(sandbox.execute(`echo ran; ${'echo ran; '.repeat(20)}`))
    expect(error).toEqual(failed(expect.stringContaining('did not arrive')))
  })

  it.each([
    ['on SIGTERM, at once', 'exec', 300],
    ['on SIGKILL after the grace, where it ignores SIGTERM', "trap '' TERM;", 0.1],
  ])('a client that does not get there is ended when the call is: %s', async (_what, before, killGrace) => {
    const time = uniqueSleep()
    const sandbox = new CommandSandbox({ command: ['sh', '-c', `${before} sleep ${time}`], killGrace })
    const error = await failureOf(sandbox.execute('a', { timeout: 0.5 }))
    expect(error.code).toBe('TIMEOUT')
    await until(() => countRunning(time) === 0)
  })

  it('a client that dies under a command gives the output so far', async () => {
    const sandbox = new CommandSandbox({ command: ['env'] })
    const error = await connectionFailure(sandbox.execute('echo so far; kill -KILL $PPID; sleep 1'))
    expect(error).toEqual(failed('env was killed by SIGKILL before the command had ended.', true, 'so far\n'))
  })
})

describe('what a client or a profile prints before the command', () => {
  it('is no part of the output, and no part of a file', async () => {
    const command = ['sh', '-c', 'echo "Welcome!"; echo warning >&2; exec "$0" "$@"']
    const sandbox = new CommandSandbox({ command, cwd: await temporaryDirectory() })
    expect(await sandbox.execute('echo a; echo b >&2')).toEqual(result({ stdout: 'a\n', stderr: 'b\n' }))
    await sandbox.writeText('file', 'content')
    expect(await sandbox.readText('file')).toBe('content')
    expect(await sandbox.listFiles('.')).toEqual([{ name: 'file', isDir: false }])
  })

  it('of each shell is an I/O error to files that names it, and not garbage', async () => {
    const directory = await temporaryDirectory()
    const shell = join(directory, 'noisy')
    writeFileSync(shell, '#!/bin/sh\necho Welcome+\nexec sh "$@"\n')
    chmodSync(shell, 0o755)
    const sandbox = localShell({ shell, cwd: directory })
    expect(await sandbox.execute('echo a')).toEqual(result({ stdout: 'Welcome+\na\n' }))
    for (const call of [() => sandbox.readFile('noisy'), () => sandbox.listFiles('.')]) {
      const error = await failureOf(call())
      expect([error.name, error.message]).toEqual(['SandboxIoError', expect.stringContaining('Welcome+')])
    }
  })
})

describeSsh('a connection', (place) => {
  it('that is refused is told from the command’s own 255', async () => {
    const { options } = place.sshd()
    expect(await connectionFailure(ssh({ ...options, port: 1 }).execute('exit 255'))).toEqual(
      failed(expect.stringMatching(/^ssh ended with exit code 255 before the command had begun: .*refused/s)),
    )
    expect(await place.open().execute('exit 255')).toEqual(result({ exitCode: 255 }))
  })

  it('prints what its login shell prints to nobody', async () => {
    // Bash reads it when sshd starts it; other login shells read nothing.
    const profile = join(place.sshd().directory, '.bashrc')
    writeFileSync(profile, 'echo noise; echo noise >&2')
    expect(await place.open().execute('echo a')).toEqual(result({ stdout: 'a\n' }))
    rmSync(profile)
  })

  it('to a user who may not log in says so', async () => {
    const { options } = place.sshd()
    const error = await connectionFailure(ssh({ ...options, user: 'no-such-user' }).execute('a'))
    expect(error).toEqual(failed(expect.stringContaining('Permission denied')))
  })

  it('to a host whose key has changed is refused', async () => {
    const { options, directory } = place.sshd()
    const known = join(directory, 'changed_hosts')
    const wrong = 'AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    writeFileSync(known, `[127.0.0.1]:${options.port} ssh-ed25519 ${wrong}\n`)
    const client = { ...options.options, UserKnownHostsFile: known }
    const error = await connectionFailure(ssh({ ...options, options: client }).execute('a'))
    expect(error).toEqual(failed(expect.stringContaining('Host key verification failed')))
  })

  it('that is lost ends the remote command, what ignores SIGTERM too, and gives the output so far', async () => {
    const server = await startSshd()
    const time = uniqueSleep()
    const sandbox = ssh({ ...server.options, killGrace: 0.2 })
    const command = `(trap '' TERM; sleep ${time}; sleep ${time}) & echo so far; sleep ${time}`
    const events = sandbox.executeStreaming(command)
    await events.next()
    await until(() => countRunning(`sleep ${time}`) > 1)
    await server.stop()
    expect(await connectionFailure(collect(events))).toMatchObject({ started: true, stdout: 'so far\n' })
    await until(() => countRunning(time) === 0)
  })

  it('whose client is killed ends the remote command', async () => {
    const time = uniqueSleep()
    const call = connectionFailure(place.open({ killGrace: 0.2 }).execute(`sleep ${time}`))
    await until(() => countRunning(`sleep ${time}`) > 0)
    const client = await localShell().execute(
      `pgrep -f -P ${process.pid} "^ssh .*${place.sshd().options.port}"`,
    )
    for (const pid of client.stdout.trim().split('\n')) process.kill(Number(pid), 'SIGKILL')
    expect(await call).toMatchObject({ started: true, message: expect.stringContaining('killed by SIGKILL') })
    await until(() => countRunning(time) === 0)
  })
})
