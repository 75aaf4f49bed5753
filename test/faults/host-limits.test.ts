import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import {
  endOf,
  failingOpen,
  faultyHost,
  lost,
  printed,
  protocol,
  saturated,
  until,
  within,
} from './helpers.ts'

describe('maxSandboxes', () => {
  it('refuses the sandbox past it, until another was closed', async () => {
    const host = faultyHost({ maxSandboxes: 2, maxQueued: 0 })
    const [first, second] = await Promise.all([1, 2].map(() => StrandsShellSandbox.open({}, { host })))
    const third = new StrandsShellSandbox({}, { host })
    expect(await endOf(third.execute('echo a'))).toEqual(saturated)
    expect([third.status, host.stats().workers]).toEqual(['new', 2])
    await first?.close()
    expect(await second?.execute('echo b')).toEqual(printed('b\n'))
    expect(await third.execute('echo a')).toEqual(printed('a\n'))
    expect(host.stats()).toMatchObject({ workers: 2, leased: 2, idle: 0, retired: 0 })
  })

  it('counts a sandbox that opens once', async () => {
    const host = faultyHost({ maxSandboxes: 2, maxQueued: 0 })
    const slow = StrandsShellSandbox.open(failingOpen('slow'), { host })
    await until(() => host.stats().leased === 1)
    const second = await StrandsShellSandbox.open({}, { host })
    expect(await endOf(StrandsShellSandbox.open({}, { host }))).toEqual(saturated)
    expect(await second.execute('echo a')).toEqual(printed('a\n'))
    await slow
  })

  it('reached, a sandbox takes the place of one whose worker still ends', async () => {
    const host = faultyHost({ maxSandboxes: 1, maxQueued: 0, maxIdleWorkers: 0 })
    for (let round = 0; round < 5; round++) {
      const sandbox = await within(60, StrandsShellSandbox.open({}, { host }))
      await sandbox.close()
    }
    const hostile = new StrandsShellSandbox({ env: { HOSTILE: 'service' } }, { host })
    for (let round = 0; round < 5; round++) {
      expect(await within(60, endOf(hostile.execute('number')))).toEqual(protocol)
      expect(await within(60, hostile.execute('echoed'))).toEqual(printed('echoed'))
    }
  })

  it('reached, a lost session is opened anew', async () => {
    const host = faultyHost({ maxSandboxes: 1, maxQueued: 0 })
    const sandbox = new StrandsShellSandbox({}, { host })
    for (let round = 0; round < 3; round++) {
      expect(await endOf(sandbox.execute('fault exit'))).toEqual(lost('WORKER_EXITED'))
      expect(await within(60, sandbox.execute('echo a'))).toEqual(printed('a\n'))
    }
    expect(sandbox.generation).toBe(4)
  })

  it('does not count a given-up session, which maxRetired bounds', async () => {
    const host = faultyHost({ maxSandboxes: 1, maxQueued: 0 })
    const sandbox = await StrandsShellSandbox.open({}, { host })
    const call = endOf(sandbox.execute('fault slow'))
    await sandbox.close()
    await call
    expect(host.stats()).toMatchObject({ workers: 1, leased: 0, idle: 0, retired: 1 })
    const next = await StrandsShellSandbox.open({}, { host })
    expect(await next.execute('echo a')).toEqual(printed('a\n'))
    await until(() => host.stats().workers === 1)
  })
})

describe('maxRetired', () => {
  it('refuses sandboxes while that many given-up commands still run', async () => {
    const host = faultyHost({ maxRetired: 2 })
    const directory = await temporaryDirectory()
    const triggers = ['first', 'second'].map((name) => join(directory, name))
    const sandboxes = await Promise.all(
      triggers.map((trigger) => StrandsShellSandbox.open({ env: { FAULT_TRIGGER: trigger } }, { host })),
    )
    const calls = sandboxes.map((sandbox) => endOf(sandbox.execute('fault hold')))
    await until(() => triggers.every((trigger) => existsSync(`${trigger}.held`)))
    await Promise.all([...sandboxes.map((sandbox) => sandbox.close()), ...calls])
    expect(host.stats().retired).toBe(2)
    expect(await endOf(StrandsShellSandbox.open({}, { host }))).toEqual(saturated)
    for (const trigger of triggers) writeFileSync(trigger, 'release')
    await until(() => host.stats().retired === 0)
    const next = await StrandsShellSandbox.open({}, { host })
    expect(await next.execute('echo a')).toEqual(printed('a\n'))
  })
})

describe('openTimeout', () => {
  it('rejects an opening whose build hangs, and the next sandbox opens', async () => {
    const host = faultyHost({ openTimeout: 3 })
    const hanging = new StrandsShellSandbox(failingOpen('hang'), { host })
    expect(await within(60, endOf(hanging.open()))).toEqual(saturated)
    expect(hanging.status).toBe('new')
    const next = new StrandsShellSandbox({}, { host })
    expect(await next.execute('echo a')).toEqual(printed('a\n'))
  })

  it('gives up the worker of an opening that ended too late', async () => {
    const host = faultyHost({ openTimeout: 0.2 })
    expect(await endOf(StrandsShellSandbox.open(failingOpen('slow'), { host }))).toEqual(saturated)
    await until(() => host.stats().workers === 0)
  })
})
