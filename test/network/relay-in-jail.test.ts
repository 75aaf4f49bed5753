import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { bubblewrapArguments } from '../../src/bubblewrap/arguments.ts'
import { resolveBubblewrap } from '../../src/engines/find-bubblewrap.ts'
import { jailPlan, noJails } from '../support/jail.ts'
import { credentials, PUBLIC, startOrigin, startProxy } from './helpers.ts'

const relay = createRequire(import.meta.url).resolve('strands-shell-runtime/relay')

/** Asks through the proxy at 127.0.0.1, then the origin itself; prints what came of each. */
const client = `
  const { spawn } = require('child_process'); const { request } = require('http')
  const [port, socket, origin, authorization] = process.argv.slice(1)
  const ask = (port, path, headers) => new Promise((done) => request({ host: '127.0.0.1', port, path, headers },
    (answer) => { let body = ''; answer.on('data', (piece) => body += piece).on('end', () => done(answer.statusCode + ' ' + body)) })
    .on('error', ({ code }) => done(code)).end())
  const relay = socket && spawn('/node', ['/relay.mjs', port, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  const run = async () => {
    console.log(await ask(port, 'http://api.example/', { host: 'api.example', 'proxy-authorization': authorization }))
    console.log(await ask(origin, '/', {}))
    process.exit()
  }
  if (relay) relay.stdout.once('data', run); else run()`

describe.skipIf(noJails !== undefined)(
  `a relay in a jail${noJails === undefined ? '' : `: ${noJails}`}`,
  () => {
    test('is its one way to the network: the proxy answers, a port of the host does not', async () => {
      const origin = await startOrigin()
      const { proxy } = await startProxy({ names: { 'api.example': [PUBLIC] }, origin: origin.port })
      const pass = proxy.admit('jail', { network: 'allowlist', allow: ['http://api.example/'] })
      const args = (socket: string) => [String(proxy.port), socket, String(origin.port), credentials(pass)]
      const outside = spawn(process.execPath, ['-e', client, ...args('')])
      expect(await text(outside.stdout)).toBe('200 hello\n200 hello\n')
      const plan = await jailPlan(['/node', '-e', client, ...args('/proxy.sock')], {
        mounts: [
          { kind: 'bind', source: process.execPath, destination: '/node' },
          { kind: 'bind', source: relay, destination: '/relay.mjs' },
          { kind: 'bind', source: await proxy.socketPath(), destination: '/proxy.sock' },
        ],
      })
      const finding = await resolveBubblewrap()
      if (!finding.ok) throw new TypeError(finding.reason)
      const filter = await open(finding.filter)
      const inside = spawn(finding.program, bubblewrapArguments(plan), {
        stdio: ['ignore', 'pipe', 'inherit', filter.fd],
      })
      if (inside.stdout === null) throw new TypeError('The jail has no standard output.')
      expect(await text(inside.stdout)).toBe('200 hello\nECONNREFUSED\n')
      await filter.close()
    })
  },
)
