import { readFileSync } from 'node:fs'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { hostMetrics } from '../../src/prometheus/index.ts'
import { refusalOf } from '../session/support/ends.ts'
import { tellEveryEvent } from './support/every-event.ts'
import { about, command, FakeHost } from './support/fake-host.ts'

/** The samples of a registry, without those of buckets. */
async function samplesOf(registry: Registry): Promise<readonly string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !/^#|_bucket\{/.test(line))
}

it('each event is counted and measured', async () => {
  const host = new FakeHost()
  const registry = new Registry()
  hostMetrics(host, { registry, prefix: 'x_', labels: ['tenant'] })
  tellEveryEvent(host, { tenant: 't', other: 'o' })
  const of = 'shell="bash",isolation="shared",tenant="t"'
  const samples = await samplesOf(registry)
  expect(samples.filter((line) => line.includes('tenant="t"')).sort()).toEqual(
    [
      `x_commands_total{${of},outcome="ok"} 1`,
      `x_command_duration_seconds_sum{${of}} 0.002`,
      `x_command_duration_seconds_count{${of}} 1`,
      `x_command_wait_seconds_sum{${of}} 0.001`,
      `x_command_wait_seconds_count{${of}} 1`,
      `x_command_output_bytes_total{${of},stream="stdout"} 5`,
      `x_command_output_bytes_total{${of},stream="stderr"} 7`,
      `x_file_operations_total{${of},operation="read",outcome="ok"} 1`,
      `x_file_duration_seconds_sum{${of},operation="read"} 0.001`,
      `x_file_duration_seconds_count{${of},operation="read"} 1`,
      `x_file_content_bytes_total{${of},operation="read"} 3`,
      `x_opens_total{${of},outcome="opened"} 1`,
      `x_opens_total{${of},outcome="reopened"} 1`,
      `x_opens_total{${of},outcome="HOST_SATURATED"} 1`,
      `x_open_duration_seconds_sum{${of}} 0.06`,
      `x_open_duration_seconds_count{${of}} 2`,
      `x_wake_duration_seconds_sum{${of}} 0.008`,
      `x_wake_duration_seconds_count{${of}} 1`,
      `x_closes_total{${of},reason="idle"} 1`,
      `x_losses_total{${of},reason="CELL_EXITED"} 1`,
      `x_hibernations_total{${of},reason="idle"} 1`,
      `x_checkpoints_total{${of}} 1`,
      `x_store_failures_total{${of},operation="put",reason="UNKNOWN"} 1`,
      `x_mirror_conflicts_total{${of}} 1`,
      `x_policy_verdicts_total{${of},verdict="deny"} 1`,
      'x_egress_requests_total{tenant="t",allowed="false",reason="NOT_ALLOWED"} 1',
      'x_egress_requests_total{tenant="t",allowed="true",reason="ok"} 1',
      'x_egress_duration_seconds_sum{tenant="t"} 0.5',
      'x_egress_duration_seconds_count{tenant="t"} 1',
      'x_egress_content_bytes_total{tenant="t",direction="sent"} 2',
      'x_egress_content_bytes_total{tenant="t",direction="received"} 4',
    ].sort(),
  )
})

it('what a host has is read once for each scrape; what the system does not tell is left out', async () => {
  const host = new FakeHost()
  const { registry } = hostMetrics(host, { registry: new Registry() })
  const gauges = async () =>
    (await registry.metrics()).split('\n').filter((line) => /^strands_shell_(?!egress)\w+ /.test(line))
  expect(await gauges()).toEqual([
    'strands_shell_sandboxes_open 3',
    'strands_shell_sandboxes_hibernated 1',
    'strands_shell_sandboxes_queued 2',
    'strands_shell_sandboxes_running 1',
    'strands_shell_sandboxes_waiting 0',
    'strands_shell_places_leased 2',
    'strands_shell_places_retired 0',
    'strands_shell_workers_live 4',
    'strands_shell_workers_idle 1',
    'strands_shell_cells_live 1',
    'strands_shell_process_memory_resident_bytes 1000000',
    'strands_shell_process_threads 9',
    'strands_shell_event_loop_delay_mean_seconds 0.001',
    'strands_shell_event_loop_delay_p99_seconds 0.02',
    'strands_shell_event_loop_delay_max_seconds 0.03',
  ])
  expect(host.looks).toBe(1)
  host.figures = { ...host.figures, open: 4, threads: undefined }
  const later = await gauges()
  expect([later.length, later[0], host.looks]).toEqual([14, 'strands_shell_sandboxes_open 4', 2])
})

it('each tenant has its gauges while it is there; past 1000 they are told together', async () => {
  const host = new FakeHost()
  const registry = new Registry()
  hostMetrics(host, { registry })
  const leased = async () =>
    (await samplesOf(registry)).filter((line) => line.startsWith('strands_shell_tenant_sandboxes_leased'))
  const tenants = (count: number) => {
    const others = { queued: 0, running: 0, waiting: 0 }
    host.figures = {
      ...host.figures,
      tenants: Array.from({ length: count }, (_, index) => ({ tenant: `t${index}`, leased: 2, ...others })),
    }
  }
  expect((await samplesOf(registry)).filter((line) => line.includes('tenant='))).toEqual([
    'strands_shell_tenant_sandboxes_leased{tenant="a"} 2',
    'strands_shell_tenant_sandboxes_queued{tenant="a"} 1',
    'strands_shell_tenant_sandboxes_running{tenant="a"} 1',
    'strands_shell_tenant_sandboxes_waiting{tenant="a"} 0',
  ])
  tenants(1)
  expect(await leased()).toEqual(['strands_shell_tenant_sandboxes_leased{tenant="t0"} 2'])
  tenants(1003)
  const many = await leased()
  expect([many.length, many.at(-1)]).toEqual([
    1000,
    'strands_shell_tenant_sandboxes_leased{tenant="other"} 8',
  ])
  tenants(0)
  expect(await leased()).toEqual([])
})

it.each([
  ['ok', {}],
  ['nonzero', { exitCode: 1 }],
  ['timed_out', { exitCode: 124, timedOut: true }],
  ['TIMEOUT', { exitCode: undefined, error: 'TIMEOUT' as const }],
  ['denied', { exitCode: 126, denied: true }],
  ['denied', { exitCode: undefined, denied: true, error: 'PERMISSION_DENIED' as const }],
])('the outcome of a command is %s', async (outcome, fields) => {
  const host = new FakeHost()
  const registry = new Registry()
  hostMetrics(host, { registry })
  host.tell('command', { ...about('command'), ...command, ...fields })
  expect(await samplesOf(registry)).toContain(
    `strands_shell_commands_total{shell="bash",isolation="shared",outcome="${outcome}"} 1`,
  )
})

it('docs/telemetry.md has each metric', async () => {
  const registry = new Registry()
  hostMetrics(new FakeHost(), { registry })
  const page = readFileSync(new URL('../../docs/telemetry.md', import.meta.url), 'utf8')
  const told = [...page.matchAll(/^\|.*\| /gm)].flatMap(([row]) => row.match(/`strands_shell_\w+`/g) ?? [])
  const all = registry.getMetricsAsArray().map(({ name }) => `\`${name}\``)
  expect(told.sort()).toEqual(all.sort())
})

it('a label has 1000 values, and then others', async () => {
  const host = new FakeHost()
  const registry = new Registry()
  hostMetrics(host, { registry, labels: ['tenant'] })
  for (let round = 0; round < 2; round++)
    for (let tenant = 0; tenant < 1010; tenant++)
      host.tell('checkpoint', about('checkpoint', { tenant: `t${tenant}` }))
  host.tell('checkpoint', about('checkpoint'))
  const counts = (await samplesOf(registry)).filter((line) => line.startsWith('strands_shell_checkpoints'))
  const count = (tenant: string) => counts.find((line) => line.includes(`tenant="${tenant}"`))?.split(' ')[1]
  expect(counts).toHaveLength(1002)
  expect([count('t0'), count('t999'), count('t1000'), count('other'), count('')]).toEqual([
    '2',
    '2',
    undefined,
    '20',
    '1',
  ])
})

it('two hosts in one registry need two prefixes; a stopped one leaves nothing', async () => {
  const registry = new Registry()
  const [first, second] = [new FakeHost(), new FakeHost()]
  const metrics = hostMetrics(first, { registry })
  expect(refusalOf(() => hostMetrics(second, { registry }))).toEqual([
    'INVALID_CONFIG',
    'registry has a metric "strands_shell_commands_total". Give each host a registry or a prefix of its own, and stop() what is no longer needed.',
  ])
  expect(second.listensTo('command')).toBe(false)
  const other = hostMetrics(second, { registry, prefix: 'second_' })
  metrics.stop()
  expect([first.listensTo('command'), second.listensTo('command')]).toEqual([false, true])
  expect(await registry.metrics()).not.toContain('strands_shell_')
  expect(await registry.metrics()).toContain('second_commands_total')
  const again = hostMetrics(first, { registry })
  metrics.stop()
  expect(await registry.metrics()).toContain('strands_shell_commands_total')
  again.stop()
  other.stop()
  expect((await registry.metrics()).trim()).toBe('')
})

it.each<readonly [message: string, host: unknown, options: unknown]>([
  ['host must be a ShellHost, but is an object.', {}, {}],
  ['registry must be a Registry of prom-client, but is an object.', new FakeHost(), { registry: {} }],
  [
    'prefix must be the begin of a name: letters, digits, "_" and ":", no digit first; but is "1" (a string).',
    new FakeHost(),
    { prefix: '1' },
  ],
  [
    'labels must be an array of names of labels, but is a string of 6 characters.',
    new FakeHost(),
    { labels: 'tenant' },
  ],
  [
    'labels[0] must be a name of letters, digits and underscores that begins with no digit and not with "__", but is "a-b" (a string).',
    new FakeHost(),
    { labels: ['a-b'] },
  ],
  [
    'labels[1] is "outcome", a label that the metrics have. Give the label of the sandboxes another name.',
    new FakeHost(),
    { labels: ['a', 'outcome'] },
  ],
  ['labels[1] is "a", which is there twice.', new FakeHost(), { labels: ['a', 'a'] }],
  [
    'label is no option. Did you mean labels? Known here: registry, prefix, labels.',
    new FakeHost(),
    { label: [] },
  ],
])('is refused: %s', (message, host, options) => {
  expect(refusalOf(() => Reflect.apply(hostMetrics, undefined, [host, options]))).toEqual([
    'INVALID_CONFIG',
    message,
  ])
})
