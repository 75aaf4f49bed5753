import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { SshOptions } from '../../../src/posix/index.ts'
import { until } from './until.ts'

const program = '/usr/sbin/sshd'

/** `'each'` call connects by itself, or all calls share `'one'` connection (ssh's `ControlPath`), which is ten times faster. */
export type Connections = 'each' | 'one'

/** Why there is no server to test against; undefined where there is one. In CI a missing one is a failure. */
export const noSshd: string | undefined =
  existsSync(program) || process.env['CI'] !== undefined
    ? undefined
    : `${program} is missing: run scripts/install-test-tools.sh`

/** An OpenSSH server on a loopback port, run by the current user, with keys of its own. */
export interface Sshd {
  /** What `ssh()` needs to reach it. */
  readonly options: SshOptions
  readonly directory: string
  /** Ends the server and every connection, as a machine that goes away. */
  stop(): Promise<void>
}

export async function startSshd(connections: Connections = 'each'): Promise<Sshd> {
  if (!existsSync(program)) throw new Error(`${program} is missing: run scripts/install-test-tools.sh`)
  const directory = mkdtempSync(join(tmpdir(), 'sshd-'))
  const [hostKey, userKey] = ['host_key', 'user_key'].map((name) => newKey(join(directory, name))) as [
    string,
    string,
  ]
  const port = await freePort()
  const config = join(directory, 'sshd_config')
  writeFileSync(
    config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${userKey}.pub`,
      `PidFile ${join(directory, 'pid')}`,
      'UsePAM no',
      'StrictModes no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      'PrintMotd no',
      // A home without profiles.
      `SetEnv HOME=${directory}`,
      'MaxStartups 200',
      'MaxSessions 200',
    ].join('\n'),
  )
  // The server's own directory for a root that has never run one.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const server = spawn(program, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  await listening(server)
  const control = join(directory, 'control')
  const master = connections === 'one' ? await startMaster(port, userKey, control) : undefined
  return {
    directory,
    options: {
      host: '127.0.0.1',
      port,
      user: userInfo().username,
      identityFile: userKey,
      options: {
        UserKnownHostsFile: join(directory, 'known_hosts'),
        IdentitiesOnly: 'yes',
        ...(master === undefined ? {} : { ControlPath: control }),
      },
    },
    stop: async () => {
      master?.kill('SIGKILL')
      if (server.exitCode === null && server.signalCode === null) {
        for (const pid of connectionsOf(server.pid ?? 0)) kill(pid)
        server.kill('SIGKILL')
        await until(() => server.exitCode !== null || server.signalCode !== null)
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A client that holds the connection which other clients find at the path of its socket. */
async function startMaster(port: number, key: string, control: string): Promise<ChildProcess> {
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'LogLevel=ERROR',
  ]
  const target = ['-p', String(port), '-i', key, `${userInfo().username}@127.0.0.1`]
  const master = spawn(
    'ssh',
    ['-F', 'none', '-M', '-N', '-S', control, ...options.flatMap((option) => ['-o', option]), ...target],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await until(() => existsSync(control))
  return master
}

/** The server's processes for its connections. */
function connectionsOf(server: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=']).toString().trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  const childrenOf = (parent: number): number[] =>
    pairs.filter(([, ppid]) => ppid === parent).map(([pid = 0]) => pid)
  // A connection of root's has one process, that of others a second one that does the work.
  return childrenOf(server).flatMap((pid) => [
    pid,
    ...childrenOf(pid).filter((child) => commandOf(child).startsWith('sshd')),
  ])
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)]).toString()
  } catch {
    return '' // It has ended.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function newKey(path: string): string {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
  return path
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function listening(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('Server listening')) resolve()
    })
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`sshd ended: ${said}`)))
  })
}
