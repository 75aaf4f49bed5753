import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { cert, startTlsServer } from '../../../../places/cells/egress/fixtures/tls-server.ts'
import { BEARER, CANARY, everythingSaidBy, tracesIn } from '../../../../secrets/support/canary.ts'
import { startServer } from '../../../../strands-shell/support/http-server.ts'
import { isFull } from '../../../../support/tier.ts'
import { run } from '../open-shell.ts'
import { openWorld } from './world.ts'

describe.each(['direct', 'proxied'] as const)('a credential of a bash sandbox (%s)', (way) => {
  it('is added to requests to its host, also in place of what the agent wrote, and to no other', async () => {
    const [own, other] = await Promise.all([startServer(), startServer()])
    const { shell } = await openWorld(
      { allowedUrls: [own.origin, other.origin], credentials: [{ url: `${own.origin}/`, token: CANARY }] },
      { way },
    )
    for (const words of ['', "-H 'authorization: Basic mine'", '-u a:b', '-X POST -d x'])
      await run(shell, `curl -s ${words} ${own.origin}/a ${other.origin}/a`)
    await run(
      shell,
      `curl -s http://user:pass@${new URL(own.origin).host}/ http://user:pass@${new URL(other.origin).host}/`,
    )
    expect(new Set(own.seen.map(({ authorization }) => authorization))).toEqual(new Set([BEARER]))
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([
      undefined,
      'Basic mine',
      'Basic YTpi',
      undefined,
      'Basic dXNlcjpwYXNz',
    ])
  })

  it('stays with redirects of its host; one that leaves it takes neither it nor what the agent wrote along', async () => {
    const back: string[] = []
    const cookies: unknown[] = []
    const other = await startServer((request, response) => {
      cookies.push(request.headers.cookie, request.headers['x-kept'])
      if (request.url === '/back') response.writeHead(302, { location: back[0] }).end()
      else response.end('there\n')
    })
    const to: Record<string, string> = {
      '/own': '/end',
      '/away': `${other.origin}/x`,
      '/there': `${other.origin}/back`,
    }
    const own = await startServer((request, response) => {
      const location = to[request.url ?? '']
      if (location === undefined) response.end('end\n')
      else response.writeHead(307, { location }).end()
    })
    back.push(`${own.origin}/end`)
    const config = { allowedUrls: [own.origin, other.origin] }
    const { shell } = await openWorld(
      { ...config, credentials: [{ url: own.origin, token: CANARY }] },
      { way },
    )
    for (const path of Object.keys(to))
      await run(shell, `curl -sL -b a=b -H 'X-Kept: yes' -H 'Authorization: mine' ${own.origin}${path}`)
    expect(own.seen.map(({ url, authorization }) => [url, authorization])).toEqual([
      ['/own', BEARER],
      ['/end', BEARER],
      ['/away', BEARER],
      ['/there', BEARER],
      ['/end', undefined],
    ])
    expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
    expect(cookies).toEqual([undefined, 'yes', undefined, 'yes'])
  })

  it('is in no output, file or variable', async () => {
    const own = await startServer((request, response) => {
      if (request.url === '/die') request.socket.destroy()
      else if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
      else if (request.url === '/slow') setTimeout(() => response.end(), 5_000).unref()
      else response.writeHead(401, { 'www-authenticate': 'Bearer error="no"' }).end('no')
    })
    const { shell } = await openWorld(
      { allowedUrls: [own.origin], credentials: [{ url: own.origin, token: CANARY }] },
      { way },
    )
    const said: unknown[] = [await shell.describe()]
    for (const command of [
      'curl -v -i OWN/a; curl -f OWN/a; curl -sS OWN/die; curl -v OWN/die; curl -v -L OWN/away; curl -m 0.2 -v OWN/slow',
      `curl -v -w '%{json} %{header_json} %{certs}' -D - -o out OWN/w; cat out; curl -sI OWN/; curl --help; curl --version`,
      `curl -v -H "$(printf 'A: b\\r\\nC: d')" OWN/; curl -v -H 'A b: c' OWN/; curl -k OWN/; curl --trace - OWN/; curl -c - OWN/`,
      'set -x; curl -s OWN/; set +x; env; set; export -p; declare -p; declare -f; alias; trap; history; echo $HTTP_PROXY',
      'find / -type f | while read -r f; do cat "$f"; done; cat /proc/self/environ /proc/self/cmdline; ls -lR /proc',
    ])
      said.push(await run(shell, command.replaceAll('OWN', own.origin)))
    expect(own.seen.length).toBeGreaterThan(8)
    expect(new Set(own.seen.map(({ authorization }) => authorization))).toEqual(new Set([BEARER]))
    expect(tracesIn(everythingSaidBy(said))).toEqual([])
    expect(said[0]).toMatchObject({
      value: { allowedUrls: [own.origin], credentials: [{ url: own.origin, kind: 'bearer' }] },
    })
  })

  it('allows no address by itself', async () => {
    const own = await startServer()
    const { shell } = await openWorld(
      { allowedUrls: ['http://127.0.0.1:1/'], credentials: [{ url: own.origin, token: CANARY }] },
      { way },
    )
    expect((await run(shell, `curl -s ${own.origin}/`))[0]).toBe(7)
    expect(own.seen).toEqual([])
  })
})

describe.each(['direct', 'proxied'] as const)('https of a bash sandbox (%s)', (way) => {
  const start = async () => {
    const seen: (readonly [url: string | undefined, headers: IncomingHttpHeaders])[] = []
    const origin = await startTlsServer((request, response) => {
      seen.push([request.url, request.headers])
      response.end(`hello ${request.url}\n`)
    })
    return { seen, origin }
  }

  it('the path of an entry holds, and the credential goes through', async () => {
    const { origin, seen } = await start()
    const { shell } = await openWorld(
      { allowedUrls: [`${origin}/api`], credentials: [{ url: origin, token: CANARY }] },
      { way, ca: cert },
    )
    expect(await run(shell, `curl -s ${origin}/api/x`)).toEqual([0, 'hello /api/x\n', ''])
    for (const path of ['/', '/apix', '/api/../x', '/api/..%2fx'])
      expect([path, (await run(shell, `curl -s ${origin}${path}`))[0]]).toEqual([path, 7])
    expect((await run(shell, `curl -s ${origin.replace('https', 'http')}/api`))[0]).toBe(7)
    expect(seen.map(([url, { authorization }]) => [url, authorization])).toEqual([['/api/x', BEARER]])
    expect(Object.keys(seen[0]?.[1] ?? {}).filter((name) => name.startsWith('proxy'))).toEqual([])
  })

  it('a certificate that is not trusted, or names another host, fails the command', async () => {
    const { origin, seen } = await start()
    const local = origin.replace('127.0.0.1', 'other.localhost')
    const untrusting = await openWorld({ allowedUrls: [origin] }, { way })
    expect(await run(untrusting.shell, `curl ${origin}/`)).toEqual([
      60,
      '',
      expect.stringMatching(/^curl: \(60\) SSL certificate problem: /),
    ])
    const names = { 'other.localhost': [['93.184.216.34']] }
    const { shell } = await openWorld({ allowedUrls: [local] }, { way, ca: cert, names, origin })
    expect(await run(shell, `curl ${local}/`)).toEqual([60, '', expect.stringMatching(/other\.localhost/)])
    expect(seen).toEqual([])
  })

  it('a server that speaks no TLS fails the command', async () => {
    const plain = await startServer()
    const url = plain.origin.replace('http:', 'https:')
    const { shell } = await openWorld({ allowedUrls: [url] }, { way, ca: cert })
    expect([35, 60]).toContain((await run(shell, `curl -s ${url}/`))[0])
    expect(plain.seen).toEqual([])
  })
})

it.runIf(isFull)('python3 has the same network by jb_http', async () => {
  const [own, other] = await Promise.all([startServer(), startServer()])
  const { shell } = await openWorld({
    allowedUrls: [`${own.origin}/api`],
    credentials: [{ url: own.origin, token: CANARY }],
    python: true,
    timeout: 60,
  })
  const get = (url: string) => run(shell, `python3 -c 'import jb_http; print(jb_http.get("${url}").text)'`)
  expect(await get(`${own.origin}/api/x`)).toEqual([0, 'hello /api/x\n\n', ''])
  for (const url of [`${own.origin}/x`, `${other.origin}/`]) expect((await get(url))[0]).toBe(1)
  const { hostname, port } = new URL(own.origin)
  for (const code of [
    `import urllib.request; print(urllib.request.urlopen("${own.origin}/api/url").read())`,
    `import socket; s = socket.create_connection(("${hostname}", ${port}), 2); s.send(b"GET /api/raw HTTP/1.0\\r\\n\\r\\n"); print(s.recv(99))`,
    `import js; js.fetch("${own.origin}/api/js")`,
    `import http.client; c = http.client.HTTPConnection("${hostname}", ${port}, timeout=2); c.request("GET", "/api/http"); print(c.getresponse().read())`,
    `import os; print(os.system("curl -s ${own.origin}/api/system"))`,
  ]) {
    const [exitCode, stdout] = await run(shell, `python3 -c '${code}'`)
    expect([code, exitCode, stdout.includes('hello')]).toEqual([code, exitCode, false])
  }
  expect(own.seen.map(({ url, authorization }) => [url, authorization])).toEqual([['/api/x', BEARER]])
  expect(other.seen).toEqual([])
})
