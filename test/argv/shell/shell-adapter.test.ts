import { describe, expect, it } from 'vitest'
import { perRun, ShellAdapter, type ShellAdapterOptions, singleton } from '../../../src/argv/index.ts'
import { UnsupportedError } from '../../../src/sandbox/errors.ts'
import { refusalOf } from '../../sandbox/refusal.ts'
import { localSandbox, RemoteSandbox, untyped } from '../helpers.ts'

describe('ShellAdapter.run', () => {
  it.each([
    [{ output: 'out', exitCode: 0 }, 'out'],
    [{ output: '', exitCode: 0 }, ''],
    [{ output: 'out', exitCode: 7 }, 'out\n[exit code: 7]'],
    [{ output: '', exitCode: 124 }, '[exit code: 124]'],
  ])('shows %j as %j', async (result, shown) => {
    const sandbox = new RemoteSandbox()
    sandbox.result = result
    expect(await new ShellAdapter(sandbox).run('x')).toBe(shown)
  })

  it('runs in a local sandbox, with and without a shell', async () => {
    const sandbox = localSandbox()
    expect(await new ShellAdapter(sandbox).run('echo a | tr a b; exit 7')).toBe('b\n[exit code: 7]')
    expect(await new ShellAdapter(sandbox, { allowed: ['echo'] }).run('echo *  "a  b"')).toBe('* a  b')
    expect(await new ShellAdapter(sandbox, { timeout: 0.2 }).run('sleep 30')).toBe(
      'Command timed out after 0.2s\n[exit code: 124]',
    )
  })

  it('hands its variables, time limit and the signal of a run to the sandbox', async () => {
    const sandbox = new RemoteSandbox()
    const { signal } = new AbortController()
    await new ShellAdapter(sandbox, { env: { A: 'b' }, timeout: 5 }).run('x', { signal })
    expect(sandbox.options).toEqual([{ env: { A: 'b' }, timeout: 5, signal }])
  })

  it('uses the workdir of its sandbox', () => {
    const sandbox = localSandbox()
    expect(new ShellAdapter(sandbox).workdir).toBe(sandbox.workdir)
    expect(new ShellAdapter(singleton(sandbox)).workdir).toBe(sandbox.workdir)
  })
})

describe('ShellAdapter.runSync', () => {
  it('throws and names the alternative where the sandbox has no synchronous calls', () => {
    const remote = new ShellAdapter(new RemoteSandbox())
    expect(() => remote.runSync('x')).toThrow(UnsupportedError)
    expect(() => remote.runSync('x')).toThrow(
      'This sandbox has no execSync(). Use run(), or another sandbox.',
    )
    const factory = new ShellAdapter(perRun(() => localSandbox()))
    expect(() => factory.runSync('x')).toThrow(/Pass a sandbox itself, or use run\(\)/)
  })

  it('filters as run does, and takes the sandbox of a singleton', () => {
    const adapter = new ShellAdapter(singleton(localSandbox()), { ignore: ['.env'], blocked: ['rm'] })
    expect(adapter.runSync('rm a')).toBe("Command not allowed: 'rm a'")
    expect(adapter.runSync('cat .env')).toContain('Access denied')
  })
})

describe('the options of a shell adapter', () => {
  it.each([
    [{ allowd: ['ls'] }, 'allowd'],
    [{ allowed: 'ls' }, 'allowed'],
    [{ allowed: ['ls', 7] }, 'allowed[1]'],
    [{ allowed: [' '] }, 'allowed[0]'],
    [{ blocked: [''] }, 'blocked[0]'],
    [{ ignore: [''] }, 'ignore[0]'],
    [{ ignore: ['a', '/etc'] }, 'ignore[1]'],
    [{ readonly: 'yes' }, 'readonly'],
    [{ env: { '1A': '' } }, 'env["1A"]'],
    [{ timeout: 0 }, 'timeout'],
    [null, 'options'],
  ])('%j are refused for %s', (options, field) => {
    const make = () => new ShellAdapter(new RemoteSandbox(), options as ShellAdapterOptions)
    expect(refusalOf(make).field).toBe(field)
  })

  it.each([[undefined], [null], ['sandbox'], [{}]])('%j is no sandbox', (sandbox) => {
    const make = () => new ShellAdapter(untyped(sandbox))
    expect(refusalOf(make).field).toBe('sandbox')
  })
})
