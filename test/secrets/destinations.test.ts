import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeHost } from '../faults/helpers.ts'
import { startServer } from '../strands-shell/support/http-server.ts'
import { tierLevels } from '../support/describe-engines.ts'
import { BEARER, CANARY } from './support/canary.ts'

/** Ways to have a token sent to another server, which both are allowed. */
const ways: readonly (readonly [name: string, command: string])[] = [
  ['another port', 'curl -s {other}/'],
  ['a redirect', 'curl -s -L {own}/away'],
  ['a redirect by its host alone', 'curl -s -L {own}/schemeless'],
  ['the host as a user name', 'curl -s http://{authority}@{elsewhere}/'],
  ['the host as a user name, without its port', 'curl -s http://127.0.0.1@{elsewhere}/'],
  ['a backslash behind the host', `curl -s 'http://{authority}\\@{elsewhere}/'`],
  ['a tab behind the host', `curl -s "$(printf '{own}\\t@{elsewhere}/')"`],
  ['a line break behind the host', `curl -s "$(printf '{own}\\n@{elsewhere}/')"`],
  ['the host in the path', 'curl -s {other}/{own}/'],
  ['the host in the query', `curl -s '{other}/?{own}/'`],
  ['the host in the fragment', `curl -s '{other}/#{own}/'`],
  ['the host as a header', 'curl -s -H "Host: {authority}" {other}/'],
  ['a proxy as an option', 'curl -s -x {other} {own}/by-option'],
  ['a proxy as a variable', 'http_proxy={other} HTTP_PROXY={other} curl -s {own}/by-variable'],
  ['another address of a name', 'curl -s --connect-to {authority}:{elsewhere} {own}/connected'],
  ['a header of its own', `curl -s -H 'Authorization: Bearer mine' {other}/`],
  ['two addresses', 'curl -s {own}/first {other}/second'],
]

describe.each(tierLevels)('the token of a host (%s)', (isolation) => {
  it('is sent to that host alone, in every form of the request', async () => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']) vi.stubEnv(name, undefined)
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const other = await startServer()
    const headers: IncomingHttpHeaders[] = []
    const elsewhere = new URL(other.origin).host
    const own = await startServer((request, response) => {
      headers.push(request.headers)
      const to = { '/away': `${other.origin}/landed`, '/schemeless': `//${elsewhere}/landed` }
      const location = Object.entries(to).find(([path]) => path === request.url)?.[1]
      if (location === undefined) response.end(`${request.url} ${request.headers.authorization}\n`)
      else response.writeHead(302, { location }).end()
    })
    const { host: authority, origin } = new URL(own.origin)
    const host = makeHost({ isolation })
    const sandbox = await host.open({
      credentials: [{ url: origin, token: CANARY }],
      allowedUrls: [`${origin}/`, `${other.origin}/`],
    })
    const fill = (text: string) =>
      text
        .replaceAll('{own}', origin)
        .replaceAll('{other}', other.origin)
        .replaceAll('{authority}', authority)
        .replaceAll('{elsewhere}', elsewhere)
    for (const [name, command] of ways) {
      const from = other.seen.length
      await sandbox.execute(fill(command))
      const sent = other.seen.slice(from).filter(({ authorization = '' }) => authorization.includes(CANARY))
      expect({ name, sent }).toEqual({ name, sent: [] })
    }
    expect(other.seen.length).toBeGreaterThan(5)
    // A server that repeats its request tells the token to whoever asked: it is the one that is trusted with it.
    expect((await sandbox.execute(`curl -s ${origin}/echo`)).stdout).toBe(`/echo ${BEARER}\n`)
    // The proxy of a cell lets no command choose the name under which plain HTTP reaches it.
    await sandbox.execute(`curl -s -H 'Host: another.example' ${origin}/named`)
    expect([headers.at(-1)?.authorization, headers.at(-1)?.host]).toEqual([
      BEARER,
      isolation === 'process' ? authority : 'another.example',
    ])
  })
})
