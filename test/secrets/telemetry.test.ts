import { Registry } from 'prom-client'
import { expect, it, vi } from 'vitest'
import { instrument } from '../../src/otel/index.ts'
import { hostMetrics } from '../../src/prometheus/index.ts'
import { endOf } from '../faults/helpers.ts'
import { meteringSdk, shown, tracingSdk } from '../telemetry/support/otel-sdk.ts'
import { CANARY, everythingSaidBy, tracesIn } from './support/canary.ts'
import { makeWorld } from './support/world.ts'

it('neither a credential nor a value of secretEnv is in an event, a span or a metric', async () => {
  const { host, own, other, told } = await makeWorld('process')
  const { tracerProvider, under, spans } = tracingSdk()
  const { meterProvider, collect } = meteringSdk()
  const registry = new Registry()
  instrument(host, { tracerProvider, meterProvider, labels: ['tenant'] })
  hostMetrics(host, { registry, labels: ['tenant'] })
  for (const shell of ['strands', 'bash'] as const) {
    await under(shell, async () => {
      const sandbox = await host.open({ shell, labels: { tenant: 'a' } })
      const secretEnv = { TOKEN: CANARY }
      await sandbox.execute(`curl -s ${own.origin}/with-the-credential`)
      await sandbox.execute(`echo "$TOKEN" ${CANARY}; curl -s "${other.origin}/$TOKEN"`, { secretEnv })
      await sandbox.execute('echo a > "/work/$TOKEN"', { secretEnv })
      await sandbox.executeCode(`echo ${CANARY}; exit 3`, 'sh', { secretEnv })
      await endOf(sandbox.execute(`sleep 5; : ${CANARY}`, { secretEnv, timeout: 0.05 }))
      await endOf(sandbox.readFile(`/none/${CANARY}`))
      await sandbox.writeText(`/tmp/${CANARY}`, CANARY)
      await sandbox.close()
    })
  }
  await vi.waitFor(() => expect(spans().filter(({ name }) => name === 'GET').length).toBe(4), {
    timeout: 60_000,
  })
  const said = [spans().map(shown), await registry.metrics(), await collect()]
  expect(tracesIn(everythingSaidBy(JSON.stringify(said)))).toEqual([])
  expect(tracesIn(everythingSaidBy(spans().map(shown)))).toEqual([])
  expect(tracesIn(everythingSaidBy(told))).toEqual([])
  // The controls: the calls were told, and the credential was used.
  expect(spans().length).toBeGreaterThan(16)
  expect(JSON.stringify(spans().map(shown))).toContain('/none/***')
  expect(own.seen.some(({ authorization }) => authorization?.includes(CANARY))).toBe(true)
  expect(other.seen.some(({ url }) => url === `/${CANARY}`)).toBe(true)
})
