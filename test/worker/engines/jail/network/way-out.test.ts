import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { JailMount } from '../../../../../src/bubblewrap/plan.ts'
import { jailNetwork } from '../../../../../worker/engines/jail/network/way-out.ts'
import { PUBLIC, startOrigin, startProxy } from '../../../../network/helpers.ts'
import { isFull } from '../../../../support/tier.ts'
import { Scratch } from '../../../host-files/scratch.ts'
import { jailCommand, noJail } from '../bare-jail.ts'

const script = createRequire(import.meta.url).resolve('strands-shell-runtime/relay')

function bindArguments(mounts: readonly JailMount[]): string[] {
  return mounts.flatMap((mount) =>
    mount.kind === 'bind' ? ['--ro-bind', mount.source, mount.destination] : [],
  )
}

/** Runs commands in a jail whose sandbox may reach `api.example`. @returns what they print, and what the proxy decided */
async function run(commands: string, respond?: RequestListener) {
  const origin = await startOrigin(respond)
  const { proxy, decisions } = await startProxy({ names: { 'api.example': [PUBLIC] }, origin: origin.port })
  const allow = ['http://api.example/', 'https://api.example/']
  const pass = proxy.admit('jail', { network: 'allowlist', allow })
  const relay = { node: process.execPath, script }
  const way = { proxy: pass.url, socket: await proxy.socketPath(), inside: ['127.0.0.1'], relay }
  const network = jailNetwork(way, '/run/j', '/tmp')
  const variables = { HOME: '/tmp', PATH: '/usr/bin:/bin', ...network.environment }
  const options = [
    ...bindArguments(network.mounts),
    '--clearenv',
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', '/tmp'],
  ]
  const { file, args } = jailCommand(options, ['sh', '-c', `${network.script}\n${commands}`])
  const child = spawn(file, [...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  const decided = decisions.map(({ method, url, allowed }) => `${method} ${url} ${allowed}`)
  return { output, error, decided }
}

/** Serves the files of a directory. */
function filesOf(directory: string): RequestListener {
  return ({ url = '' }, answer) => {
    const path = join(directory, new URL(url, 'http://any').pathname)
    if (existsSync(path)) answer.end(readFileSync(path))
    else answer.writeHead(404).end()
  }
}

function missing(program: string): boolean {
  return !existsSync(`/usr/bin/${program}`)
}

/** `fetch` of Node reads the address of a proxy from its environment since then. */
function fetchesThroughProxies(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 21)
}

describe.skipIf(noJail !== undefined)(
  `the way out of a jail${noJail === undefined ? '' : `: ${noJail}`}`,
  () => {
    it.skipIf(missing('curl'))('leads to what its sandbox names, and there is no other', async () => {
      const { output, decided } = await run(`
      curl -s http://api.example/a
      curl -s http://other.example/ -o /dev/null -w ' %{http_code} '
      curl -s https://other.example/ || echo "$?"
      curl -s --noproxy '*' http://${PUBLIC}/ || echo "$?"
      curl -s http://127.0.0.1:9/ || echo "$?"`)
      expect(output).toBe('hello 403 56\n7\n7\n')
      expect(decided).toEqual([
        'GET http://api.example/a true',
        'GET http://other.example/ false',
        'CONNECT other.example:443 false',
      ])
    })

    it('is told where the relay does not start', () => {
      const way = {
        proxy: 'http://a:b@127.0.0.1:1',
        socket: '/none',
        inside: [],
        relay: { node: '/none', script: '/none' },
      }
      const { file, args } = jailCommand(
        [],
        ['sh', '-c', `${jailNetwork(way, '/run/j', '/tmp').script} echo on`],
      )
      expect(() => execFileSync(file, args, { stdio: 'pipe' })).toThrow(
        'The relay to the network did not start.',
      )
    })
  },
)

describe.skipIf(noJail !== undefined || !isFull)('the way out of a jail is taken by', () => {
  it.skipIf(missing('git'))('git', async () => {
    using scratch = new Scratch(realpathSync(tmpdir()))
    const git = (...args: string[]) => execFileSync('git', ['-C', scratch.bind, ...args], { stdio: 'pipe' })
    git('init', '-q')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'the first')
    git('update-server-info')
    const { output } = await run(
      'git clone -q http://api.example/.git clone && git -C clone log --format=%s',
      filesOf(scratch.bind),
    )
    expect(output).toBe('the first\n')
  })

  it.skipIf(missing('python3'))('python', async () => {
    const program =
      'import urllib.request; print(urllib.request.urlopen("http://api.example/").read().decode())'
    expect((await run(`/usr/bin/python3 -c '${program}'`)).output).toBe('hello\n')
  })

  it.skipIf(missing('npm'))('npm', async () => {
    const { output, decided } = await run(
      'npm view thing version --registry http://api.example/ --no-update-notifier',
      (_request, answer) =>
        answer.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            name: 'thing',
            'dist-tags': { latest: '1.2.3' },
            versions: { '1.2.3': { name: 'thing', version: '1.2.3' } },
          }),
        ),
    )
    expect([output, decided]).toEqual(['1.2.3\n', ['GET http://api.example/thing true']])
  })

  it.skipIf(missing('pip3'))('pip', async () => {
    const { decided } = await run(
      'pip3 -q download thing -d /tmp --retries 0 --trusted-host api.example --index-url http://api.example/simple/',
      filesOf('/nowhere'),
    )
    expect(decided).toEqual(['GET http://api.example/simple/thing/ true'])
  })

  it.skipIf(!fetchesThroughProxies())('Node', async () => {
    const program = 'fetch("http://api.example/").then((answer) => answer.text()).then(console.log)'
    expect((await run(`/run/j/node -e '${program}'`)).output).toBe('hello\n')
  })
})
