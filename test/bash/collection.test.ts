import { expect, it, vi } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { ShellHost } from '../../src/index.ts'
import { garbageCollector } from '../support/collector.ts'

/** A sandbox whose command closes over it. */
function closedOver(host: ShellHost): BashSandbox {
  const sandbox: BashSandbox = new BashSandbox(
    { commands: { who: { description: 'names its sandbox', run: () => `${sandbox.status}\n` } } },
    { host },
  )
  return sandbox
}

const uses: Readonly<Record<string, (host: ShellHost) => Promise<unknown>>> = {
  executed: async (host) => (await closedOver(host).execute('who | cat')).stdout,
  streamed: async (host) => {
    let text = ''
    for await (const event of closedOver(host).executeStreaming('who; true')) {
      if (event.type === 'streamChunk') text += event.data
    }
    return text
  },
  'streamed and abandoned': async (host) => {
    const { value } = await closedOver(host).executeStreaming('who; echo more').next()
    return value?.type === 'streamChunk' ? value.data : undefined
  },
}

it.each(Object.entries(uses))(
  'a dropped sandbox whose command closes over it is collected: %s',
  async (_, use) => {
    await using host = new ShellHost({ isolation: 'worker' })
    expect(await use(host)).toBe('open\n')
    const collect = garbageCollector()
    const left = () => {
      collect()
      return host.stats().leased
    }
    await vi.waitFor(() => expect(left()).toBe(0), { timeout: 60_000, interval: 20 })
  },
)
