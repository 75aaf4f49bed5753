import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { joinedPorts } from '../../src/channel/joined-ports.ts'

const noKeeper = { ref: () => undefined, unref: () => undefined }

describe('joined ports', () => {
  it('tell the other end at once, in order, and neither copy nor detach', async () => {
    const { near, far } = joinedPorts(noKeeper)
    const got: unknown[] = []
    far.on('message', (message) => got.push(message))
    const bytes = new Uint8Array([1, 2])
    near.postMessage({ bytes }, [bytes.buffer])
    await Promise.resolve()
    near.postMessage('second')
    expect(got).toEqual([{ bytes }, 'second'])
    expect(bytes.byteLength).toBe(2)
  })

  it('keep messages until all listeners that begin together are there', async () => {
    const { near, far } = joinedPorts(noKeeper)
    far.postMessage('early')
    const got: string[] = []
    near.on('message', (message) => got.push(`first ${String(message)}`))
    far.postMessage('later')
    near.on('message', (message) => got.push(`second ${String(message)}`))
    expect(got).toEqual([])
    await setImmediate()
    await setImmediate()
    expect(got).toEqual(['first early', 'second early', 'first later', 'second later'])
  })

  it('let what waits for a message go on before the near end is told the next', async () => {
    const { near, far } = joinedPorts(noKeeper)
    const got: string[] = []
    near.on('message', (message) => {
      const later = async () => {
        for (let step = 0; step < 10; step++) await Promise.resolve()
        got.push(`after ${String(message)}`)
      }
      got.push(String(message))
      void later()
    })
    await setImmediate()
    far.postMessage('a')
    far.postMessage('b')
    queueMicrotask(() => far.postMessage('c'))
    await setImmediate()
    await setImmediate()
    expect(got).toEqual(['a', 'after a', 'b', 'after b', 'c', 'after c'])
  })

  it('tell both ends later that one was closed, and carry nothing more', async () => {
    const { near, far } = joinedPorts(noKeeper)
    const got: unknown[] = []
    far.on('message', (message) => got.push(message))
    await Promise.resolve()
    const closed: string[] = []
    near.on('close', () => closed.push('near'))
    far.on('close', () => closed.push('far'))
    near.postMessage('last')
    near.close()
    near.postMessage('lost')
    far.close()
    expect(closed).toEqual([])
    await Promise.all(
      [near, far].map((end) => new Promise((resolve) => end.on('close', () => resolve(null)))),
    )
    expect([got, closed]).toEqual([['last'], ['near', 'far']])
  })

  it('keep the process alive once while the near end is referenced and open', () => {
    let kept = 0
    const { near, far } = joinedPorts({ ref: () => kept++, unref: () => kept-- })
    near.ref()
    near.ref()
    far.ref()
    expect(kept).toBe(1)
    near.unref()
    near.unref()
    expect(kept).toBe(0)
    near.ref()
    far.close()
    expect(kept).toBe(0)
    near.ref()
    expect(kept).toBe(0)
  })

  it('tell outside the context of whoever posts', async () => {
    const requests = new AsyncLocalStorage<string>()
    const { near, far } = joinedPorts(noKeeper)
    const contexts: unknown[] = []
    far.on('message', () => contexts.push(requests.getStore()))
    await Promise.resolve()
    requests.run('a request', () => near.postMessage('message'))
    expect(contexts).toEqual([undefined])
  })
})
