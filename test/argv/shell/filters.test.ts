import { describe, expect, it } from 'vitest'
import { READONLY_COMMANDS, ShellAdapter, type ShellAdapterOptions } from '../../../src/argv/index.ts'
import { refusalOf } from '../../sandbox/refusal.ts'
import { RemoteSandbox } from '../helpers.ts'

const notAllowed = (command: string) => `Command not allowed: ${command}`
const noSyntax = (command: string) =>
  `Command not allowed (shell syntax is not available in restricted mode): ${command}`

/** Runs a command where nothing runs: what came of it, and the argvs that would have run. */
async function run(command: string, options: ShellAdapterOptions) {
  const sandbox = new RemoteSandbox()
  const output = await new ShellAdapter(sandbox, options).run(command)
  return { output, execs: sandbox.execs }
}

describe('a shell adapter without filters', () => {
  it('passes the command to sh', async () => {
    const command = 'cat < a | b; echo "'
    expect(await run(command, {})).toMatchObject({ output: 'ok', execs: [['sh', '-c', command]] })
    expect(new ShellAdapter(new RemoteSandbox()).restricted).toBe(false)
  })
})

describe('any filter', () => {
  it.each([
    { allowed: ['echo'] },
    { blocked: ['rm'] },
    { ignore: ['.env'] },
    { readonly: true },
    { blocked: [] },
  ])('%j has commands executed without a shell, as the argv that was checked', async (options) => {
    expect(new ShellAdapter(new RemoteSandbox(), options).restricted).toBe(true)
    expect(await run(String.raw`echo {a,b} $HOME ~ "$(id)" ';' a\|b ''`, options)).toMatchObject({
      output: 'ok',
      execs: [['echo', '{a,b}', '$HOME', '~', '$(id)', ';', 'a|b', '']],
    })
  })

  it.each([
    ['echo "a', `'echo "a'`],
    ["echo it's", `"echo it's"`],
    ['echo \\', "'echo \\\\'"],
    [`echo '"\n`, `'echo \\'"\\n'`],
  ])('refuses %j for its quotes', async (command, shown) => {
    const expected = { output: `Command not allowed (unbalanced quotes): ${shown}`, execs: [] }
    expect(await run(command, { allowed: ['ls'], blocked: ['echo'] })).toEqual(expected)
  })

  it.each([
    ['echo a > b', "'echo a > b'"],
    ['echo a >> b', "'echo a >> b'"],
    ['echo < b', "'echo < b'"],
    ['echo a | rm b', "'echo a | rm b'"],
    ['echo a; rm b', "'echo a; rm b'"],
    ['echo a & rm b', "'echo a & rm b'"],
    ['echo a && rm b', "'echo a && rm b'"],
    ['echo a || rm b', "'echo a || rm b'"],
    ['echo `rm b`', "'echo `rm b`'"],
    ['echo $(rm b)', "'echo $(rm b)'"],
    ['echo <(rm b)', "'echo <(rm b)'"],
    ['echo a\nrm b', "'echo a\\nrm b'"],
    ['echo a\rrm b', "'echo a\\rrm b'"],
  ])('refuses %j for its shell syntax', async (command, shown) => {
    for (const options of [{ allowed: ['echo'] }, { blocked: ['rm'] }, { ignore: ['.env'] }]) {
      expect(await run(command, options)).toMatchObject({ output: noSyntax(shown), execs: [] })
    }
  })
})

it.each(['allowed', 'blocked', 'ignore', 'readonly'])('rejects null for %s', (field) => {
  const options = JSON.parse(`{ "${field}": null }`)
  expect(refusalOf(() => new ShellAdapter(new RemoteSandbox(), options)).field).toBe(field)
})

describe('allowed', () => {
  it.each(['git log', 'git  log -5', '"git" log', '\tgit log'])('lets %j run', async (command) => {
    expect((await run(command, { allowed: ['ls', 'git log'] })).output).toBe('ok')
  })

  it.each([
    ['git push', "'git push'"],
    ['git', "'git'"],
    ['git -c x log', "'git -c x log'"],
    ['gitlog', "'gitlog'"],
    ['git logs', "'git logs'"],
    ['git "log -5"', `'git "log -5"'`],
    ['/usr/bin/git log', "'/usr/bin/git log'"],
    ['X=1 git log', "'X=1 git log'"],
    ['', "''"],
    ['rm a; git log', "'rm a; git log'"],
    ['\u200bgit log', "'\\u200bgit log'"],
  ])('refuses %j', async (command, shown) => {
    expect(await run(command, { allowed: ['ls', 'git log'] })).toMatchObject({
      output: notAllowed(shown),
      execs: [],
    })
  })

  it('refuses everything when it is empty', async () => {
    expect(await run('echo', { allowed: [] })).toMatchObject({ output: notAllowed("'echo'"), execs: [] })
  })
})

describe('blocked', () => {
  it.each([
    ['git push', "'git push'"],
    ['git  push  -f', "'git  push  -f'"],
    ['/usr/bin/git push', "'/usr/bin/git push'"],
    ['../git push', "'../git push'"],
    ['"git" pu\'sh\'', `'"git" pu\\'sh\\''`],
    ['rm', "'rm'"],
    ['/opt/tool x', "'/opt/tool x'"],
    ['/opt/../opt//tool x', "'/opt/../opt//tool x'"],
    ['tool x', "'tool x'"],
  ])('refuses %j', async (command, shown) => {
    const blocked = ['git push', 'rm', '/opt/tool']
    expect(await run(command, { blocked })).toMatchObject({ output: notAllowed(shown), execs: [] })
    expect((await run(command, { blocked, allowed: [command.trim()] })).execs).toEqual([])
  })

  it.each(['git log', 'git -c x push', 'rmdir a', 'echo rm', 'tools x', 'env rm'])(
    'lets %j run',
    async (command) => {
      expect((await run(command, { blocked: ['git push', 'rm', '/opt/tool'] })).output).toBe('ok')
    },
  )
})

describe('readonly', () => {
  it.each(READONLY_COMMANDS)('lets %s run', async (command) => {
    expect((await run(`${command} a`, { readonly: true })).output).toBe('ok')
  })

  it.each(['touch a', 'find . -delete', 'env rm a', 'sort -o a', 'git log'])(
    'refuses %j',
    async (command) => {
      expect(await run(command, { readonly: true })).toMatchObject({
        output: notAllowed(`'${command}'`),
        execs: [],
      })
    },
  )

  it('is overridden by an explicit list', async () => {
    const options = { readonly: true, allowed: ['touch'] }
    expect((await run('touch a', options)).output).toBe('ok')
    expect((await run('cat a', options)).output).toBe(notAllowed("'cat a'"))
  })

  it('is a list of commands that can neither write nor run others', () => {
    expect(READONLY_COMMANDS.join(' ')).toBe(
      'cat head tail ls grep egrep fgrep wc du df diff stat which pwd echo printenv cut',
    )
  })
})
