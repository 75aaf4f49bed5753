import { describe, expect, it, onTestFinished } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { ShellHost, type ShellHostOptions, StrandsShellSandbox } from '../../src/index.ts'
import { threadLevels } from '../support/describe-engines.ts'

const invalid = expect.objectContaining({ code: 'INVALID_CONFIG', field: 'network' })

function hostOf(options: ShellHostOptions): ShellHost {
  const host = new ShellHost(options)
  onTestFinished(() => host.close())
  return host
}

describe("network: 'restricted' of a sandbox", () => {
  it.each(threadLevels)(
    'refuses Strands Shell at the level %s, before anything starts',
    async (isolation) => {
      const host = hostOf({ isolation })
      expect(() => host.sandbox({ network: 'restricted' })).toThrow(invalid)
      await expect(host.open({ network: 'restricted' })).rejects.toThrow(invalid)
      expect(() => new StrandsShellSandbox({ network: 'restricted', isolation })).toThrow(invalid)
      expect(host.stats()).toMatchObject({ workers: 0, cells: 0, open: 0 })
      const bash = await host.open({ shell: 'bash', network: 'restricted' })
      expect([bash.summary.network, (await bash.execute('echo held')).stdout]).toEqual(['none', 'held\n'])
    },
  )

  it('refuses it on the default host, whose sandboxes are threads', async () => {
    await expect(StrandsShellSandbox.open({ network: 'restricted' })).rejects.toThrow(invalid)
    const bash = await BashSandbox.open({ network: 'restricted' })
    await bash.close()
  })

  it('holds it in cells, and refuses those that reach everything', async () => {
    const sandbox = await hostOf({}).open({ network: 'restricted' })
    expect((await sandbox.execute('curl -s http://a.example/')).stdout).toMatch(/egress refused/)
    const open = hostOf({ network: 'public' })
    await expect(open.open({ network: 'restricted' })).rejects.toThrow(invalid)
    expect((await open.run('echo held', { shell: 'bash', network: 'restricted' })).stdout).toBe('held\n')
  })
})

describe("network: 'restricted' of a host", () => {
  it('refuses what its level cannot hold, and nothing else', async () => {
    const host = hostOf({ network: 'restricted', isolation: 'worker' })
    await expect(host.open()).rejects.toThrow(invalid)
    expect(host.stats()).toMatchObject({ workers: 0, open: 0 })
    expect((await host.run('echo held', { shell: 'bash' })).stdout).toBe('held\n')
    const cell = await host.open({ isolation: 'process' })
    expect(cell.summary.network).toBe('allowlist')
    expect((await cell.execute('curl -s http://a.example/')).stdout).toMatch(/egress refused/)
  })
})
