import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { BashSandbox } from '../../../src/bash/index.ts'
import { ShellHost, StrandsShellSandbox } from '../../../src/index.ts'
import { garbageCollector } from '../../support/collector.ts'

const host = new ShellHost({ isolation: 'worker' })
/** Of the engine that the second argument names. */
const Sandbox = process.argv[3] === 'bash' ? BashSandbox : StrandsShellSandbox
let peak = 0

function look(): void {
  peak = Math.max(peak, host.stats().workers)
}

/** Many requests one after another; says how many workers were alive at once at most. */
async function peakOver(requests: number, request: () => Promise<unknown>): Promise<number> {
  for (let made = 0; made < requests; made++) {
    await request()
    look()
  }
  return peak
}

async function collectUntil(condition: () => boolean): Promise<boolean> {
  const gc = garbageCollector()
  const deadline = performance.now() + 15_000
  while (!condition() && performance.now() < deadline) {
    gc()
    await sleep(30)
  }
  return condition()
}

async function useOne(command = 'echo a'): Promise<string> {
  return (await new Sandbox({}, { host }).execute(command)).stdout
}

async function abandonGenerator(): Promise<void> {
  const sandbox = new Sandbox({}, { host })
  await sandbox.executeStreaming('echo a; echo b >&2').next()
}

async function abandonCommand(): Promise<string> {
  const sandbox = new Sandbox({}, { host })
  await sandbox.open()
  return sandbox.execute('sleep 1', { timeout: 0.1 }).then(
    () => 'a result',
    () => 'timed out',
  )
}

async function loseOne(): Promise<void> {
  await new Sandbox({ onInterrupt: 'reset' }, { host })
    .execute('sleep 0.3', { timeout: 0.1 })
    .catch(() => undefined)
}

const store = new AsyncLocalStorage<{ sandbox?: StrandsShellSandbox | BashSandbox }>()

function useInRequest(): Promise<void> {
  return store.run({}, async () => {
    const sandbox = new Sandbox({}, { host })
    Object.assign(store.getStore() ?? {}, { sandbox })
    await sandbox.execute('echo a', { timeout: 5, signal: new AbortController().signal })
  })
}

const scenes: Readonly<Record<string, () => Promise<unknown>>> = {
  dropped: () => peakOver(Number(process.argv[4]), () => useOne()),
  'many kept in their requests': () => peakOver(32, useInRequest),
  'many abandoned generators': () => peakOver(32, abandonGenerator),
  'kept in its request': async () => {
    await useInRequest()
    return collectUntil(() => host.stats().workers === 0)
  },
  'abandoned generator': async () => {
    await abandonGenerator()
    return collectUntil(() => host.stats().workers === 0)
  },
  'mid-call': async () => {
    const call = useOne('sleep 0.7; echo done')
    const gc = garbageCollector()
    const end = performance.now() + 600
    while (performance.now() < end) {
      gc()
      await sleep(30)
    }
    const stdout = await call
    return { stdout, collected: await collectUntil(() => host.stats().workers === 0) }
  },
  'abandoned command': async () => {
    const outcome = await abandonCommand()
    const lingered = await collectUntil(() => host.stats().retired === 1)
    const ended = await collectUntil(() => host.stats().workers === 0)
    return { outcome, lingered, ended, next: await useOne() }
  },
  'reset sessions': async () => {
    for (let made = 0; made < 3; made++) await loseOne()
    return collectUntil(() => host.stats().workers === 0)
  },
  'dropped as it opens': async () => {
    void useOne('sleep 0.3').catch(() => undefined)
    void new Sandbox({}, { host }).open()
    return collectUntil(() => host.stats().workers === 0)
  },
  'held by its policy': async () => {
    const use = async () => {
      const sandbox: StrandsShellSandbox | BashSandbox = new Sandbox(
        { policy: () => (sandbox.status === 'closed' ? { deny: '' } : 'allow') },
        { host },
      )
      return sandbox.execute('echo decided')
    }
    const { stdout } = await use()
    return { stdout, collected: await collectUntil(() => host.stats().workers === 0) }
  },
  'while a policy decides': async () => {
    const policy = () => new Promise<'allow'>((resolve) => setTimeout(() => resolve('allow'), 700))
    const call = new Sandbox({ policy }, { host }).execute('echo decided')
    const gc = garbageCollector()
    const end = performance.now() + 600
    while (performance.now() < end) {
      gc()
      await sleep(30)
    }
    const { stdout } = await call
    return { stdout, collected: await collectUntil(() => host.stats().workers === 0) }
  },
  'before a waiter': async () => {
    const full = new ShellHost({ isolation: 'shared', maxSandboxes: 1 })
    const named = new WeakRef(await full.open())
    const neighbours = full.stats().leased
    let served = false
    const waits = full.open().then(() => {
      served = true
    })
    const given = await collectUntil(() => served)
    await waits
    const { closed } = full.stats()
    return { neighbours, given, collected: named.deref() === undefined, closed }
  },
  named: async () => {
    const named = new ShellHost({ isolation: 'shared' })
    await named.open({}, { id: 'held by its host' })
    const gone = await Promise.race([
      collectUntil(() => named.stats().leased === 0),
      sleep(500, 'still there'),
    ])
    return { gone, open: named.list().length }
  },
  held: async () => {
    const sandbox = new Sandbox({}, { host })
    await sandbox.execute('x=kept')
    const gone = await Promise.race([
      collectUntil(() => host.stats().workers === 0),
      sleep(500, 'still there'),
    ])
    return { gone, stdout: (await sandbox.execute('echo $x')).stdout }
  },
}

const results: Record<string, unknown> = {}
for (const name of (process.argv[2] ?? '').split(', ')) results[name] = await scenes[name]?.()
console.log(JSON.stringify(results))
process.exit()
