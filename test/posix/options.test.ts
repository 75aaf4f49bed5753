import { describe, expect, it } from 'vitest'
import { CommandSandbox, localShell } from '../../src/posix/index.ts'
import { refusalOf } from '../sandbox/refusal.ts'
import { result } from './support/result.ts'

const refused = (options: unknown) => refusalOf(() => Reflect.construct(CommandSandbox, [options]))

describe('the options of a CommandSandbox', () => {
  it.each([
    ['options', undefined],
    ['options', null],
    ['options', []],
    ['options', new Map()],
    ['command', {}],
    ['command', { command: 'ssh host' }],
    ['command[1]', { command: ['a', 1] }],
    ['command[1]', { command: ['a', 'b\0'] }],
    ['command[0]', { command: [''] }],
    ['command[0]', { command: ['-x'] }],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    ['command[0]', { command: [, 'a'] }],
    ['shell', { command: [], shell: '' }],
    ['shell', { command: [], shell: '-c' }],
    ['shell', { command: [], shell: 7 }],
    ['env', { command: [], env: [] }],
    ['env["A B"]', { command: [], env: { 'A B': '' } }],
    ['env.A', { command: [], env: { A: 1 } }],
    ['inheritEnv', { command: [], inheritEnv: 'PATH' }],
    ['inheritEnv[0]', { command: [], inheritEnv: [''] }],
    ['cwd', { command: [], cwd: '' }],
    ['timeout', { command: [], timeout: 0 }],
    ['timeout', { command: [], timeout: 86_401 }],
    ['timeout', { command: [], timeout: Number.NaN }],
    ['maxOutput', { command: [], maxOutput: 0 }],
    ['maxOutput', { command: [], maxOutput: 1.5 }],
    ['maxOutput', { command: [], maxOutput: 2 ** 40 }],
    ['killGrace', { command: [], killGrace: -1 }],
    ['killGrace', { command: [], killGrace: 601 }],
    ['joinsArguments', { command: [], joinsArguments: 1 }],
    ['comand', { command: [], comand: [] }],
  ])('%s that is none is refused: %j', (field, options) => {
    expect(refused(options).field).toBe(field)
  })

  it('say what was expected and what came, and no value of a variable', () => {
    expect(refused({ command: [], timeout: -1 }).message).toBe(
      'timeout must be a positive number of seconds, at most 86400 (a day), but is -1 (a number). Leave it out for none.',
    )
    expect(refused({ command: [], killGrace: -1 }).message).toBe(
      'killGrace must be a number of seconds from 0 to 600, but is -1 (a number).',
    )
    expect(refused({ command: [], time: 1 }).message).toBe(
      'time is no option. Known here: command, joinsArguments, shell, env, inheritEnv, cwd, timeout, maxOutput, killGrace.',
    )
    expect(refused({ command: [], env: { A: 'secret\0' } }).message).not.toContain('secret')
  })

  it('are copied: later changes change nothing', async () => {
    const env = { A: 'first' }
    const command = ['env']
    const sandbox = new CommandSandbox({ command, env })
    env.A = 'second'
    command[0] = 'nothing'
    expect(await sandbox.execute('echo $A')).toEqual(result({ stdout: 'first\n' }))
  })

  it('quotes the arguments of a program that joins them', async () => {
    const joining = ['sh', '-c', 'exec sh -c "$*"', 'sh']
    const sandbox = new CommandSandbox({ command: joining, joinsArguments: true })
    expect(await sandbox.execute(`echo "it's"  '$HOME'`)).toEqual(result({ stdout: "it's $HOME\n" }))
  })

  it('of a local shell hold no command', () => {
    const options: unknown = { command: ['id'] }
    expect(refusalOf(() => Reflect.apply(localShell, undefined, [options])).field).toBe('command')
  })

  it('are not shown when the sandbox is printed', async () => {
    const { inspect } = await import('node:util')
    const sandbox = localShell({ env: { TOKEN: 'secret' } })
    expect(inspect(sandbox, { depth: 9, showHidden: true }) + JSON.stringify(sandbox)).not.toContain('secret')
  })
})
