import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { GatedShell } from '../../../../worker/engines/strands/gated-shell.ts'
import type { NativeShell } from '../../../../worker/engines/strands/native-shell.ts'

const freely = { pass: <T>(call: () => Promise<T>) => call() }

/** A shell whose first command ends as `first` does; all calls are noted. */
function shellThatWaits(first: Promise<unknown>) {
  const calls: string[] = []
  const run = async (command: string) => {
    calls.push(command)
    if (calls.length === 1) await first
    return { status: 0, stdout: '', stderr: '' }
  }
  const getEnv = async (name: string) => {
    calls.push(name)
    return undefined
  }
  const native: Partial<NativeShell> = { run, getEnv }
  return { calls, shell: new GatedShell(native as NativeShell, freely) }
}

describe('a shell that begins with a command', () => {
  it('makes later calls when that command has ended', async () => {
    const engine = new EventEmitter()
    const { calls, shell } = shellThatWaits(once(engine, 'end'))
    shell.begin('alias a=b')
    const read = shell.getEnv('HOME')
    await new Promise(setImmediate)
    expect(calls).toEqual(['alias a=b'])
    engine.emit('end')
    await read
    expect(calls).toEqual(['alias a=b', 'HOME'])
  })

  it('fails every later call where that command has failed', async () => {
    const { calls, shell } = shellThatWaits(Promise.reject(new Error('no')))
    shell.begin('alias a=b')
    await expect(shell.run('true')).rejects.toThrow('no')
    await expect(shell.getEnv('HOME')).rejects.toThrow('no')
    expect(calls).toEqual(['alias a=b'])
  })
})
