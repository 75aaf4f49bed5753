import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HostedSandbox, SandboxEventMap, ShellHost } from '../../src/index.ts'
import { JailSandbox } from '../../src/jail/index.ts'
import { makeHost } from '../faults/helpers.ts'
import { eventually, startOrigin } from '../network/helpers.ts'
import { ownFieldsOf } from '../support/event-fields.ts'
import { noJails } from '../support/jail.ts'

type Told = SandboxEventMap['egress'] | SandboxEventMap['egressEnd']

function watch(target: ShellHost | HostedSandbox): Told[] {
  const told: Told[] = []
  target.on('egress', (event) => told.push(event))
  target.on('egressEnd', (event) => told.push(event))
  return told
}

describe.skipIf(noJails !== undefined)('the network of a jail', () => {
  it('has what its sandbox names, with its credentials, and its requests are told as its own', async () => {
    const origin = await startOrigin((request, answer) =>
      answer.end(request.headers.authorization ?? 'nobody'),
    )
    const root = `http://127.0.0.1:${origin.port}/`
    const url = `${root}api`
    const host = makeHost({ isolation: 'process', network: 'allowlist' })
    const first = await host.open({
      shell: 'jail',
      allowedUrls: [url],
      credentials: [{ url: root, token: 'secret' }],
      labels: { tenant: 'a' },
    })
    const second = await host.open({ shell: 'jail', allowedUrls: [`${url}/public`] })
    const [ofFirst, ofSecond] = [watch(first), watch(second)]
    expect((await first.execute(`curl -s ${url}?key=hush`)).stdout).toBe('Bearer secret')
    expect((await first.execute('env')).stdout).not.toContain('secret')
    const answer = await second.execute(
      `curl -s ${url}/public; curl -s -o /dev/null -w '%{http_code}' ${url}`,
    )
    expect(answer.stdout).toBe('nobody403')
    await eventually(() => expect([ofFirst.length, ofSecond.length]).toEqual([2, 3]))
    expect(ofFirst.map(ownFieldsOf)).toMatchObject([
      { allowed: true, method: 'GET', url, address: '127.0.0.1', cell: undefined },
      { method: 'GET', url, status: 200, received: 13 },
    ])
    expect(ofFirst.map(({ labels, candidates }) => [labels, candidates.length])).toEqual([
      [{ tenant: 'a' }, 1],
      [{ tenant: 'a' }, 1],
    ])
    expect(ofSecond.map(ownFieldsOf)).toContainEqual(
      expect.objectContaining({ allowed: false, url, reason: 'NOT_ALLOWED' }),
    )
    const token = (await first.execute('echo $http_proxy')).stdout.trim()
    await first.close()
    const revoked = await second.execute(`http_proxy=${token} curl -s -o /dev/null -w '%{http_code}' ${url}`)
    expect(revoked.stdout).toBe('407')
  })

  it('has a tunnel to host and port for https, and nothing around it', async () => {
    const server = createServer((socket) => socket.end('through\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await using sandbox = await JailSandbox.open({ allowedUrls: [`https://127.0.0.1:${port}/any`] })
    const connect = (to: string) =>
      `curl -s --proxytunnel --http0.9 -m 10 http://${to}/ 2>&1 || echo "failed with $?"`
    expect((await sandbox.execute(connect(`127.0.0.1:${port}`))).stdout).toBe('through\n')
    expect((await sandbox.execute(connect('127.0.0.1:1'))).stdout).toBe('failed with 56\n')
    const around = await sandbox.execute(`(echo > /dev/tcp/127.0.0.1/${port}) 2>&1 | tail -n 1`)
    expect(around.stdout).toContain('Connection refused')
  })

  it('is a loopback alone where its sandbox names nothing, or its host has none', async () => {
    await using sandbox = await JailSandbox.open()
    const { stdout } = await sandbox.execute('cut -d: -f1 /proc/net/dev | tail -n +3; env | grep -ci proxy')
    expect(stdout).toBe('    lo\n0\n')
    const host = makeHost({ isolation: 'process', network: 'none' })
    await expect(host.open({ shell: 'jail', allowedUrls: ['http://a.test/'] })).rejects.toMatchObject({
      field: 'allowedUrls',
    })
    expect((await (await host.open({ shell: 'jail' })).execute('env | grep -ci proxy')).stdout).toBe('0\n')
  })

  it('adds no credential to what it cannot read', () => {
    const credentials = [{ url: 'https://api.test/', token: 'secret' }]
    expect(() => new JailSandbox({ credentials })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', field: 'credentials[0].url' }),
    )
  })
})
