import { spawnSync } from 'node:child_process'
import { Registry } from 'prom-client'
import { describe, expect, it, vi } from 'vitest'
import type { Policy } from '../../src/policy/index.ts'
import { hostMetrics } from '../../src/prometheus/index.ts'
import { endOf, makeHost } from '../faults/helpers.ts'
import { startServer } from '../strands-shell/support/http-server.ts'

const { error } = spawnSync('promtool', ['--version'])
const missing = error === undefined ? undefined : `${error.message}: run scripts/install-test-tools.sh`
// In CI a missing one is a failure.
const isSkipped = missing !== undefined && process.env['CI'] === undefined

/** What the real tool says of metrics: nothing, where they are as they should be. */
function promtool(text: string) {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  return { status, said: `${stdout}${stderr}` }
}

describe.skipIf(isSkipped)(`promtool${missing === undefined ? '' : ` (${missing})`}`, () => {
  it('finds nothing wrong with the metrics of a host that has worked', async () => {
    const server = await startServer()
    const host = makeHost({ isolation: 'process', quotas: { label: 'tenant' } })
    const registry = new Registry()
    hostMetrics(host, { registry, labels: ['tenant'] })
    const config = {
      onInterrupt: 'reset',
      allowedUrls: [`${server.origin}/`],
      labels: { tenant: 'a "b"\\\n' },
    } as const
    const policy: Policy = (call) =>
      call.kind === 'command' && call.command === 'forbidden' ? { deny: 'no' } : 'allow'
    const [strands, bash] = await Promise.all([
      host.open(config),
      host.open({ ...config, policy, shell: 'bash' }),
    ])
    await Promise.all([
      strands.execute(`curl -s ${server.origin}/a; curl -s http://no.example/`),
      bash.execute('echo out; echo err >&2; exit 3'),
    ])
    await endOf(bash.execute('forbidden'))
    await bash.writeText('/tmp/a', 'content')
    await endOf(bash.readFile('/none'))
    await endOf(bash.execute('sleep 5', { timeout: 0.05 }))
    await endOf(strands.execute('sleep 5', { timeout: 0.05 }))
    await strands.execute('true')
    await bash.close()
    await vi.waitFor(async () => expect(await registry.metrics()).toContain('allowed="true"'))
    const text = await registry.metrics()
    expect(promtool(text)).toEqual({ status: 0, said: '' })
    const of = (shell: string) => `shell="${shell}",isolation="process",tenant="a \\"b\\"\\\\\\n"`
    const samples = text.split('\n')
    for (const sample of [
      `strands_shell_commands_total{${of('strands')},outcome="ok"} 2`,
      `strands_shell_commands_total{${of('strands')},outcome="TIMEOUT"} 1`,
      `strands_shell_commands_total{${of('bash')},outcome="nonzero"} 1`,
      `strands_shell_commands_total{${of('bash')},outcome="TIMEOUT"} 1`,
      `strands_shell_commands_total{${of('bash')},outcome="denied"} 1`,
      `strands_shell_policy_verdicts_total{${of('bash')},verdict="deny"} 1`,
      `strands_shell_file_operations_total{${of('bash')},operation="read",outcome="PATH_NOT_FOUND"} 1`,
      `strands_shell_losses_total{${of('strands')},reason="RESET"} 1`,
      `strands_shell_opens_total{${of('strands')},outcome="reopened"} 1`,
      `strands_shell_closes_total{${of('bash')},reason="closed"} 1`,
    ])
      expect(samples).toContain(sample)
    expect(text).toMatch(/^strands_shell_egress_requests_total\{.*allowed="false",reason="NOT_ALLOWED"\} 1$/m)
    expect(samples).toContain(`strands_shell_tenant_sandboxes_leased{tenant="a \\"b\\"\\\\\\n"} 1`)
    expect(text).toMatch(/^strands_shell_process_memory_resident_bytes [1-9]/m)
  })

  it('finds what is wrong with others', () => {
    expect(promtool('# TYPE a counter\na 1\n')).toMatchObject({
      status: 3,
      said: expect.stringContaining('_total'),
    })
  })
})
