import { describe, expect, it } from 'vitest'
import { ShellHost, type StrandsShellConfig, StrandsShellSandbox } from '../../src/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { type SandboxToolsOptions, sandboxTools } from '../../src/tools/index.ts'

const token = 'tok-e0b1f2'

function shellOf(config: StrandsShellConfig, options?: SandboxToolsOptions, host?: ShellHost): string {
  const sandbox = new StrandsShellSandbox(config, { host })
  const [shell] = sandboxTools(sandbox, { include: ['shell'], ...options })
  return shell?.description ?? ''
}

describe('the description of the shell', () => {
  it('tells of the session and what the engine lacks', () => {
    const text = shellOf({})
    expect(text).toContain(
      'The session lasts from call to call: working directory, variables, functions and files',
    )
    expect(text).toContain('Not there: git, node, python, wget')
    expect(text).toContain('All files are in memory and go with the session')
  })

  it('tells of every directory of the host, and what writing there does', () => {
    const text = shellOf({
      binds: [
        { source: '/a/secret/place', destination: '/work' },
        { source: '/b', destination: '/ref', readonly: true },
        { source: '/c', destination: '/data', mode: 'copy' },
        { source: '/d', destination: '/big', mode: 'passthrough' },
      ],
    })
    expect(text).toContain(
      '/work is a directory of the host: what you write or remove there is written or removed on the host.',
    )
    expect(text).toContain('/ref is a directory of the host that you can only read.')
    expect(text).toContain(
      '/data is a copy of a directory of the host: what you write there stays in the sandbox.',
    )
    expect(text).toContain(
      '/big is a directory of the host: what you write or remove there is written or removed on the host; write each file whole and once',
    )
    expect(text).not.toContain('secret')
  })

  it('tells of the time limit, and what a timeout of the call does', () => {
    expect(shellOf({ timeout: 7 })).toContain(
      'The sandbox ends a command after 7 seconds with exit code 124; the session lives on, and no `timeout` extends it. A shorter `timeout` ends the call earlier: the session is kept, but the command runs on until it ends or reaches that limit, and the next call waits for it.',
    )
    expect(shellOf({ onInterrupt: 'reset' })).toContain(
      'the session ends at once, and what it has in memory is lost',
    )
    expect(shellOf({}, { timeout: 5 })).toContain('Without `timeout` a call times out after 5 seconds.')
    expect(shellOf({ configFile: '/engine.toml' })).toContain(
      'ends a command after the time limit of the sandbox',
    )
  })

  it('tells of the network and where credentials go, and never of a token', () => {
    const text = shellOf({
      allowedUrls: ['http://127.0.0.1:8080/'],
      credentials: [{ url: 'https://api.example.com/', token }],
    })
    expect(text).toContain(
      'curl reaches public hosts; private and local addresses are refused, except below http://127.0.0.1:8080/.',
    )
    expect(text).toContain(
      'Requests below https://api.example.com/ get their credentials from the sandbox: add none.',
    )
    expect(text).not.toContain(token)
  })

  it('tells what a host lets through', async () => {
    const allowedUrls = ['https://api.example.com/']
    await using list = new ShellHost({ isolation: 'process' })
    await using none = new ShellHost({ isolation: 'process', network: 'none' })
    expect(shellOf({ allowedUrls }, {}, list)).toContain(
      'Of the network only these addresses can be reached, and what is below them: https://api.example.com/.',
    )
    expect(shellOf({}, {}, list)).toContain('There is no network.')
    expect(shellOf({}, {}, none)).toContain('There is no network.')
    const [jail] = sandboxTools(none.sandbox({ shell: 'jail' }), { include: ['shell'] })
    expect(jail.description.split('There is no network.')).toHaveLength(2)
    expect(shellOf({ allowedUrls, isolation: 'worker' }, {}, list)).toContain('curl reaches public hosts')
  })

  it('ends with what its user adds', () => {
    expect(shellOf({}, { about: 'It holds a copy of the handbook.' })).toMatch(
      /\nIt holds a copy of the handbook\.$/,
    )
  })

  it('promises nothing of a sandbox that it does not know', () => {
    const [shell] = sandboxTools(localShell(), { include: ['shell'] })
    expect(shell?.description).toBe(
      'Runs a command in the shell of a sandbox. Files last from call to call; do not rely on the working directory, variables or background jobs to last: use absolute paths.',
    )
  })
})
