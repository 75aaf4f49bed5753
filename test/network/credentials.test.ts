import { expect, test } from 'vitest'
import { EgressRules } from '../../src/network/rules.ts'
import { readHttpTarget } from '../../src/network/targets.ts'
import { PUBLIC, send, startOrigin, startProxy } from './helpers.ts'

const names = { 'api.example': [PUBLIC], 'other.example': [PUBLIC] }

test('a token goes with plain HTTP requests to its host and port, in place of one of the client', async () => {
  const origin = await startOrigin()
  const { proxy } = await startProxy({ names, origin: origin.port })
  const pass = proxy.admit('jail', {
    network: 'allowlist',
    allow: ['http://api.example/', 'http://api.example:8080/', 'http://other.example/'],
    credentials: [{ url: 'http://api.example/v1', token: 'secret' }],
  })
  const headers = { authorization: 'Bearer own', 'x-kept': '1' }
  for (const host of ['api.example', 'api.example:80', 'api.example:8080', 'other.example'])
    await send(pass, `http://${host}/v1`, { headers })
  expect(origin.seen.map((request) => request.headers.authorization)).toEqual([
    'Bearer secret',
    'Bearer secret',
    'Bearer own',
    'Bearer own',
  ])
  expect(origin.seen.every((request) => request.headers['x-kept'] === '1')).toBe(true)
})

test('a token of an https address goes nowhere', () => {
  const rules = new EgressRules({
    network: 'allowlist',
    allow: ['http://api.example/'],
    credentials: [{ url: 'https://api.example/', token: 'secret' }],
  })
  const target = readHttpTarget('http://api.example/')
  expect(target && rules.tokenFor(target)).toBeUndefined()
})
