import { afterAll, describe, expect, it } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { BASH_COMMANDS, MISSING_IN_BASH, sandboxTools } from '../../src/tools/index.ts'
import { callTool } from './support/places.ts'

const sandbox = new BashSandbox({ isolation: 'worker' })
afterAll(() => sandbox.close())

describe('what is known of bash', () => {
  it('every command that is there is there, and none of those that are not', async () => {
    const { stdout } = await sandbox.execute('ls /usr/bin')
    const there = new Set(stdout.trim().split('\n'))
    expect(BASH_COMMANDS.filter((name) => !there.has(name))).toEqual([])
    const missing = MISSING_IN_BASH.flatMap(({ names }) => names)
    expect(new Set(missing).size).toBe(missing.length)
    expect(missing.filter((name) => there.has(name))).toEqual([])
  })
})

describe('the tools of a bash sandbox', () => {
  const shellOf = (one: BashSandbox) => sandboxTools(one, { include: ['shell'] })[0]?.description ?? ''

  it('describe bash, its files and what it lacks', () => {
    const text = shellOf(sandbox)
    expect(text).toMatch(
      /^Runs a command in bash: the whole language, with arrays, \[\[ \]\], here-documents/,
    )
    expect(text).toContain('There are: awk bc column cut diff find')
    expect(text).toContain(
      'Not there: git, node, perl, make, package managers, curl, python; nothing can be installed.',
    )
    expect(text).toContain('All files are in memory and go with the session; every directory can be written.')
    expect(text).toContain(
      'A shorter `timeout` ends the call earlier: the command is stopped and the session is kept, without the variables that the command had set.',
    )
    expect(text).toContain('There is no network.')
    expect(text).not.toMatch(/lash|lua|Bourne/)
  })

  it('name the commands that are functions of the caller', async () => {
    const run = () => 'ran\n'
    const ofCaller = new BashSandbox({
      isolation: 'worker',
      commands: {
        weather: { description: 'weather CITY\n  prints   the temperature.', run },
        git: { description: 'a git of ours', run },
      },
    })
    const text = shellOf(ofCaller)
    expect(text).toContain(
      'Made for this sandbox, as commands to use in pipes: weather (weather CITY prints the temperature.); git (a git of ours). NAME --help tells more.',
    )
    expect(text).toContain('Not there: node, perl, make')
    expect(shellOf(sandbox)).not.toContain('Made for this sandbox')
  })

  it('say what they promise: no program that a description names is missing', async () => {
    const named = /There are: (.*?) and the usual others/.exec(shellOf(sandbox))?.[1]?.split(' ') ?? []
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !BASH_COMMANDS.includes(name))).toEqual([])
  })

  it('tell of python where it is on, and offer it as a language', () => {
    const withPython = new BashSandbox({ python: true, isolation: 'worker' })
    expect(shellOf(withPython)).toContain('yq python3 and the usual others')
    expect(shellOf(withPython)).not.toContain(', python;')
    const languagesOf = (one: BashSandbox) => {
      const [tool] = sandboxTools(one, { include: ['run_code'] })
      return ['bash', 'sh', 'python3', 'awk', 'jq', 'lua'].filter(
        (language) => tool?.input.safeParse({ code: '1', language }).success,
      )
    }
    expect(languagesOf(withPython)).toEqual(['bash', 'sh', 'python3', 'awk', 'jq'])
    expect(languagesOf(sandbox)).toEqual(['bash', 'sh', 'awk', 'jq'])
  })

  it.each([
    ['awk', 'BEGIN { print 3 }', '3'],
    ['jq', '1 + 1', '2'],
    ['bash', 'a=(1 2); echo $((a[0] + a[1]))', '3'],
  ])('run code in %s', async (language, code, text) => {
    expect(await callTool(sandbox, 'run_code', { code, language })).toMatchObject({ text, isError: false })
  })

  it('name what is there instead of a command that is not', async () => {
    const { text } = await callTool(sandbox, 'shell', { command: 'git status; python3 -c 1; wibble | cat' })
    expect(text.split('\n').slice(-3)).toEqual([
      '[git is not in this sandbox. Instead: there is no version control here: diff compares files, tar keeps a copy.]',
      '[python3 is not in this sandbox. Instead: awk, jq, bc or bash itself.]',
      `[wibble is not in this sandbox. There are: ${BASH_COMMANDS.join(' ')}.]`,
    ])
  })

  it('tell a time limit of the sandbox, and one of the call', async () => {
    await using brief = new BashSandbox({ isolation: 'worker', timeout: 0.3 })
    expect(await callTool(brief, 'shell', { command: 'while :; do :; done' })).toMatchObject({
      text: '[stderr]\nbash: stopped after 0.3 s\n[Exit code 124: the sandbox ended the command after 0.3 s, its time limit. The session lives on: what the command did to files stays, the variables that it had set are lost.]',
      data: { timedOut: true },
    })
    const late = await callTool(sandbox, 'shell', { command: 'while :; do :; done', timeout: 0.2 })
    expect(late.isError).toBe(true)
    expect(late.text).toContain('The command was stopped. The session and its files are kept')
    expect((await callTool(sandbox, 'shell', { command: 'echo lives' })).text).toBe('lives')
  })
})
