import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { EgressDecision } from '../../../src/network/events.ts'
import { LeaseNetwork, type LeasePass } from '../../../src/places/threads/lease-network.ts'
import { credentials, startOrigin } from '../../network/helpers.ts'

function network(mode: 'allowlist' | 'none' = 'allowlist') {
  const decisions: EgressDecision[] = []
  let last = 0
  const made = new LeaseNetwork({
    mode,
    listeners: { onDecision: (decision) => decisions.push(decision) },
    nameLease: () => `pass-${++last}`,
  })
  onTestFinished(() => made.close())
  return { network: made, decisions }
}

/** Asks the proxy for an address, as a jail does. @returns the body, or the code of the error */
function ask({ way }: LeasePass, url: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { host: 'any', 'proxy-authorization': credentials({ url: way.proxy }) }
    const outgoing = request({ socketPath: way.socket, path: url, headers, agent: false })
    outgoing.on('response', async (answer) => resolve(`${answer.statusCode} ${await text(answer)}`))
    outgoing.on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    outgoing.end()
  })
}

test('each lease has a pass of its own, for what its sandbox names, until it is revoked', async () => {
  const origin = await startOrigin((incoming, answer) => answer.end(`${incoming.headers.authorization}`))
  const url = `http://127.0.0.1:${origin.port}/`
  const { network: leases, decisions } = network()
  const one = await leases.admit({ allowedUrls: [url], credentials: [{ url, token: 'secret' }] })
  const two = await leases.admit({ allowedUrls: ['http://127.0.0.1:1/'], credentials: [] })
  if (one === undefined || two === undefined) throw new Error('no pass')
  expect(existsSync(one.way.relay.script)).toBe(true)
  expect(one.way.inside).toEqual(['localhost', '::1'])
  expect(await ask(one, url)).toBe('200 Bearer secret')
  expect(await ask(two, url)).toMatch(/^403 egress refused/)
  expect(decisions.map(({ cell, allowed }) => `${cell} ${allowed}`)).toEqual(['pass-1 true', 'pass-2 false'])
  one.revoke()
  expect(await ask(one, url)).toMatch(/^407 /)
  await leases.close()
  expect(await ask(two, url)).toBe('ENOENT')
})

test('a lease has none where its sandbox names nothing, or its host has no network', async () => {
  const url = 'http://127.0.0.1:1/'
  expect(await network().network.admit({ allowedUrls: [], credentials: [] })).toBeUndefined()
  expect(await network('none').network.admit({ allowedUrls: [url], credentials: [] })).toBeUndefined()
  const { network: leases } = network()
  const wrong = leases.admit({ allowedUrls: [url, 'http://a.test/%ff'], credentials: [] })
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_CONFIG', field: 'allowedUrls[1]' })
  await leases.close()
  await expect(leases.admit({ allowedUrls: [url], credentials: [] })).rejects.toMatchObject({
    code: 'CLOSED',
  })
})
