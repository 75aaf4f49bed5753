import { Agent } from '@strands-agents/sdk'
import { expect, it, vi } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { StrandsShellSandbox } from '../../src/strands/index.ts'
import { garbageCollector } from '../support/collector.ts'
import { ScriptedModel } from './support/scripted-model.ts'

/** An agent with a sandbox, used and dropped. */
async function useAndDrop(host: ShellHost): Promise<void> {
  const sandbox = new StrandsShellSandbox({}, { host })
  const model = new ScriptedModel([{ tool: 'sandbox_bash', input: { command: 'echo a' } }], 'Done.')
  await new Agent({ sandbox, model, printer: false }).invoke('Go.')
  expect(model.shown).toEqual(['{"output":"a\\n","error":""}'])
}

it('a sandbox that is dropped with its agent gives its place up', async () => {
  await using host = new ShellHost({ isolation: 'worker' })
  await useAndDrop(host)
  const collect = garbageCollector()
  const left = () => {
    collect()
    return host.list().length
  }
  await vi.waitFor(() => expect(left()).toBe(0), { timeout: 60_000, interval: 20 })
})
