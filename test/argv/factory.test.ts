import { describe, expect, it } from 'vitest'
import { CodeAdapter, perRun, ShellAdapter, singleton } from '../../src/argv/index.ts'
import { asyncRefusalOf, refusalOf } from '../sandbox/refusal.ts'
import { RemoteSandbox, untyped } from './helpers.ts'

describe('a singleton factory', () => {
  it('opens the same sandbox for every run and never closes it', async () => {
    const sandbox = new RemoteSandbox()
    const factory = singleton(sandbox)
    const adapter = new ShellAdapter(factory)
    await adapter.run('a')
    await adapter.run('b')
    await (await factory.open()).close()
    expect(factory.sandbox).toBe(sandbox)
    expect((await factory.open()).sandbox).toBe(sandbox)
    expect(sandbox.execs).toHaveLength(2)
    expect(sandbox.closes).toBe(0)
  })

  it('is created by an adapter that is given a sandbox', async () => {
    const sandbox = new RemoteSandbox()
    await new ShellAdapter(sandbox).run('a')
    await new CodeAdapter(sandbox).run('a', 'bash')
    expect(sandbox.execs).toHaveLength(2)
    expect(sandbox.closes).toBe(0)
  })
})

describe('a factory of a sandbox a run', () => {
  it('makes a fresh one for each run, with the context of the run, and closes it after', async () => {
    const made: RemoteSandbox[] = []
    const contexts: unknown[] = []
    const factory = perRun(async (context?: { tenant: string }) => {
      contexts.push(context)
      made.push(new RemoteSandbox())
      return made.at(-1) ?? new RemoteSandbox()
    })
    const context = { tenant: 'a' }
    await new ShellAdapter(factory).run('x', { context })
    await new CodeAdapter(factory).run('x', 'python', { context })
    await new ShellAdapter(factory).run('y')
    expect(contexts).toEqual([context, context, undefined])
    expect(made.map(({ execs, closes }) => [execs.length, closes])).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
  })

  it('opens none for a command that is refused, or a language that is not enabled', async () => {
    const factory = perRun((): RemoteSandbox => {
      throw new Error('opened')
    })
    const shell = new ShellAdapter(factory, { allowed: ['ls'], ignore: ['.env'] })
    for (const command of ['rm', 'ls; rm', 'ls "', 'ls .env']) {
      expect(await shell.run(command)).toMatch(/^(Command not allowed|Access denied)/)
    }
    expect(await new CodeAdapter(factory).run('x', 'lua')).toMatchObject({ exitCode: 2 })
    await expect(shell.run('ls')).rejects.toThrow('opened')
  })

  it('closes after a failure, and reports that failure rather than one of close()', async () => {
    const sandbox = new RemoteSandbox()
    sandbox.exec = async () => {
      throw new Error('lost')
    }
    sandbox.close = async () => {
      sandbox.closes++
      throw new Error('not closed')
    }
    await expect(new ShellAdapter(perRun(() => sandbox)).run('x')).rejects.toThrow('lost')
    expect(sandbox.closes).toBe(1)
  })

  it('is created from a function that returns sandboxes', async () => {
    const adapter = new ShellAdapter(perRun(untyped(() => ({}))))
    expect((await asyncRefusalOf(() => adapter.run('x'))).field).toBe('make')
    expect(refusalOf(() => perRun(untyped(undefined))).field).toBe('make')
    expect(refusalOf(() => singleton(untyped(undefined))).field).toBe('sandbox')
  })

  it.each<[unknown, string]>([
    [null, 'options'],
    [{ workdri: '/w' }, 'workdri'],
    [{ workdir: 'relative' }, 'workdir'],
    [{ workdir: 5 }, 'workdir'],
  ])('refuses the declaration %j for %s', (declared, field) => {
    expect(refusalOf(() => perRun(() => new RemoteSandbox(), untyped(declared))).field).toBe(field)
  })
})
