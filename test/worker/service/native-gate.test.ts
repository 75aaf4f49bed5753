import { describe, expect, it } from 'vitest'
import { GATE_RETIRED } from '../../../src/contract/lease.ts'
import { NativeGate } from '../../../worker/service/native-gate.ts'

describe('the gate of a thread', () => {
  const retiredByHost = (gate: NativeGate) => {
    const word = new Int32Array(gate.shared)
    Atomics.or(word, 0, GATE_RETIRED)
    Atomics.notify(word, 0)
  }

  it('tells when its host has retired it, also while calls come and go', async () => {
    const gate = new NativeGate(() => undefined)
    const told = new Promise<void>((resolve) => gate.onRetire(resolve))
    await gate.pass(() => Promise.resolve())
    const call = gate.pass(() => told)
    retiredByHost(gate)
    await call
  })

  it('tells when it has retired itself', async () => {
    const gate = new NativeGate(() => undefined)
    const told = new Promise<void>((resolve) => gate.onRetire(resolve))
    gate.retire()
    await told
  })

  it('tells at once where it is retired', () => {
    const gate = new NativeGate(() => undefined)
    gate.retire()
    let isTold = false
    gate.onRetire(() => {
      isTold = true
    })
    expect(isTold).toBe(true)
  })
})
