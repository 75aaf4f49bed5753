import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'

describe.skipIf(noJails !== undefined)('a jail of a host', () => {
  let host: ShellHost
  beforeAll(() => {
    host = new ShellHost()
  })
  afterAll(() => host.close())

  it('reaches what its allowlist names, with its credential, and nothing else', async () => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end('answer')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    onTestFinished(() => void server.close())
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no server')
    const url = `http://127.0.0.1:${address.port}`
    await using sandbox = await host.open({
      shell: 'jail',
      allowedUrls: [`${url}/open`],
      credentials: [{ url: `${url}/`, token: 'the-token' }],
    })
    const get = (path: string) =>
      sandbox.execute(`NO_PROXY= no_proxy= curl -s -o /dev/stderr -w '%{http_code}' ${url}${path}`)
    expect(await get('/open/x')).toMatchObject({ stdout: '200', stderr: 'answer' })
    expect((await get('/closed')).stdout).toBe('403')
    expect(seen).toEqual(['Bearer the-token'])
    expect((await sandbox.execute('env')).stdout).not.toContain('the-token')
    await using closed = await host.open({ shell: 'jail' })
    expect(
      (await closed.execute('env; ls /sys/class/net 2>/dev/null; cat /proc/net/dev')).stdout,
    ).not.toMatch(/_proxy|eth0/i)
  })

  it('is held to the network of its host', async () => {
    await using none = new ShellHost({ network: 'none' })
    await using closed = await none.open({ shell: 'jail' })
    expect(closed.summary.network).toBe('none')
    await expect(none.open({ shell: 'jail', allowedUrls: ['https://example.com/'] })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'allowedUrls',
    })
    await using listed = new ShellHost({ network: 'allowlist' })
    const open = await listed.open({ shell: 'jail', allowedUrls: ['https://example.com/'] })
    expect(open.summary.network).toBe('allowlist')
  })

  it('writes to overlays, and to the host when that is asked for', async () => {
    const source = mkdtempSync(join(tmpdir(), 'jail-overlay-'))
    onTestFinished(() => rmSync(source, { recursive: true }))
    writeFileSync(join(source, 'kept'), 'old')
    writeFileSync(join(source, 'gone'), 'x')
    await using sandbox = await host.open({
      shell: 'jail',
      binds: [{ source, destination: '/work', mode: 'overlay' }],
    })
    await sandbox.execute('cd /work && echo new >kept && rm gone && mkdir d && echo y >d/added')
    expect(readFileSync(join(source, 'kept'), 'utf8')).toBe('old')
    const { changes } = await sandbox.changes()
    expect(changes.map(({ path, change }) => [path, change])).toEqual([
      ['/work/d', 'added'],
      ['/work/d/added', 'added'],
      ['/work/gone', 'removed'],
      ['/work/kept', 'changed'],
    ])
    await sandbox.applyChanges({ bind: '/work' })
    expect(readdirSync(source).sort()).toEqual(['d', 'kept'])
    expect(readFileSync(join(source, 'kept'), 'utf8')).toBe('new\n')
  })

  it('is held to its memory, and says so', async () => {
    await using sandbox = await JailSandbox.open({ limits: { maxMemory: 64 * 2 ** 20 } }, { host })
    const eats = 'python3 -c "x = bytearray(300_000_000); import time; time.sleep(5)"'
    const result = await sandbox.execute(`${eats}; echo $?`).catch((error: unknown) => error)
    const told = result instanceof Error ? result.message : JSON.stringify(result)
    expect(told).toMatch(/137|MemoryError|maxMemory/)
  })

  it('is held to the size of files and the number of open files', async () => {
    await using sandbox = await JailSandbox.open(
      { limits: { maxFileSize: 1_000_000, maxOpenFiles: 64 } },
      { host },
    )
    const { stdout } = await sandbox.execute(
      'ulimit -n; head -c 2000000 /dev/zero >/tmp/x; stat -c %s /tmp/x',
    )
    expect(stdout).toMatch(/^64\n\d+\n$/)
    expect(Number(stdout.split('\n')[1])).toBeLessThanOrEqual(1_000_448)
    await expect(sandbox.writeFile('/tmp/y', new Uint8Array(1_000_001))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
  })
})
