import { describe, expect, it } from 'vitest'
import { BashSandbox } from '../../src/bash/index.ts'
import { type SandboxConfig, ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { printed } from '../faults/helpers.ts'
import { sharedHost } from '../host/helpers.ts'
import { bytesOf, result } from '../strands-shell/support/expected.ts'

describe('the shell of a config', () => {
  it('decides what a host opens, whichever way', async () => {
    await using host = new ShellHost({ isolation: 'shared' })
    const opened = await host.open({ shell: 'bash', files: { '/data/in': 'x\n' } })
    const made = host.sandbox({ shell: 'bash' })
    const named = await host.getOrOpen('agent', { shell: 'bash', cwd: '/work' })
    expect([opened, made, named].every((one) => one instanceof BashSandbox)).toBe(true)
    expect(await host.open()).toBeInstanceOf(StrandsShellSandbox)
    expect(await host.open({ shell: 'strands' })).toBeInstanceOf(StrandsShellSandbox)
    expect(await opened.execute('list=(a b); [[ $list == a ]] && cat /data/in')).toEqual(printed('x\n'))
    expect(await named.execute('pwd')).toEqual(printed('/work\n'))
    expect([opened.shell, (await host.open()).shell]).toEqual(['bash', 'strands'])
  })

  it('holds for one-shots, each of a map by itself', async () => {
    await using host = new ShellHost({ isolation: 'shared' })
    const command = '[[ -f in ]] && awk "{ print \\$2 }" in | tee out'
    const files = { in: 'a 1\n' }
    expect(await host.run(command, { shell: 'bash', files, collect: ['out', 'missing'] })).toEqual(
      result({
        stdout: '1\n',
        outputFiles: [{ name: 'out', content: bytesOf('1\n'), mimeType: 'application/octet-stream' }],
      }),
    )
    const requests = [
      { command: 'pwd' },
      { command: 'pwd', shell: 'bash' },
      { command: 'pwd', shell: 'zsh' },
    ] as never[]
    const ends = []
    for await (const end of host.map(requests)) ends.push(end)
    expect(ends).toMatchObject([
      { value: { stdout: '/home/lash\n' } },
      { value: { stdout: '/home/user\n' } },
      {
        reason: {
          field: 'shell',
          message:
            "Invalid sandbox config: shell must be 'bash', 'jail' or 'strands', but is \"zsh\" (a string).",
        },
      },
    ])
  })

  it('is part of the config of either class, so that one object opens both ways', async () => {
    const config: SandboxConfig = { shell: 'bash', env: { A: '1' } }
    await using sandbox = new BashSandbox(config)
    expect(await sandbox.execute('echo $A')).toEqual(printed('1\n'))
    expect(() => new BashSandbox({ shell: 'strands' } as never)).toThrow("shell must be 'bash', but is")
    expect(() => new StrandsShellSandbox({ shell: 'bash' } as never)).toThrow(
      "shell must be 'strands', but is",
    )
  })

  it('is named where a field belongs to the other one', async () => {
    const host = sharedHost()
    await expect(host.open({ python: true } as never)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'python',
      message:
        "Invalid sandbox config: python is a field of the bash shell, and this sandbox has the strands shell. Say shell: 'bash', or leave python out.",
    })
    await expect(host.open({ shell: 'bash', configFile: 'x' } as never)).rejects.toMatchObject({
      field: 'configFile',
    })
    await expect(host.open({ shell: 'bash', pyton: true } as never)).rejects.toMatchObject({
      field: 'pyton',
      message: expect.stringContaining('Did you mean "python"?'),
    })
  })

  it('must be that of the open sandbox whose name is asked for', async () => {
    await using host = new ShellHost({ isolation: 'shared' })
    const first = host.getOrOpen('a', { shell: 'bash' })
    await expect(host.getOrOpen('a')).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      field: 'shell',
      message: `id "a" is that of an open sandbox of the bash shell, and the strands shell is asked for. Say shell: 'bash', or take another id.`,
    })
    expect(await host.getOrOpen('a', { shell: 'bash' })).toBe(await first)
    await (await first).close()
    expect(await host.getOrOpen('a')).toBeInstanceOf(StrandsShellSandbox)
  })
})

describe('the defaults of a host', () => {
  it('apply to a sandbox of another shell as far as it knows them', async () => {
    await using host = new ShellHost({
      isolation: 'shared',
      defaults: {
        env: { A: 'under', B: 'under' },
        umask: 0o077,
        timeout: 7,
        onInterrupt: 'reset',
        limits: { maxOutput: 1000, maxFds: 9 },
        configFile: '/not/there.toml',
      },
    })
    const sandbox = await host.open({ shell: 'bash', env: { B: 'over' } })
    const { env, timeout, umask, limits } = await sandbox.describe()
    expect({
      env,
      timeout,
      umask,
      maxOutput: limits['maxOutput'],
      maxFds: Reflect.get(limits, 'maxFds'),
    }).toEqual({
      env: { A: 'under', B: 'over' },
      timeout: 7,
      umask: 0o077,
      maxOutput: 1000,
      maxFds: undefined,
    })
    expect(sandbox.summary.onInterrupt).toBe('reset')
  })

  it('name the shell of a sandbox whose config names none', async () => {
    await using host = new ShellHost({
      isolation: 'shared',
      defaults: { shell: 'bash', files: { '/in': 'x' }, env: { A: '1' }, limits: { maxMemory: 2 ** 27 } },
    })
    const sandbox = await host.open()
    expect(await sandbox.execute('cat /in; [[ $A ]] && echo')).toEqual(printed('x\n'))
    const other = await host.open({ shell: 'strands' })
    expect(await other.execute('echo $A; pwd')).toEqual(printed('1\n/home/lash\n'))
    expect((await host.run('pwd')).stdout).toBe('/home/user\n')
  })

  it('are refused by the field that their shell does not have', () => {
    expect(() => new ShellHost({ defaults: { python: true } as never })).toThrow(
      expect.objectContaining({ field: 'python' }),
    )
    expect(() => new ShellHost({ defaults: { shell: 'bash', cwd: 'relative' } })).toThrow(
      expect.objectContaining({ field: 'cwd' }),
    )
  })
})

it('a bash sandbox tells of itself what it can', () => {
  const { shell, directory, python, network, binds, timeout } = new BashSandbox({
    cwd: '/work',
    python: true,
    isolation: 'worker',
  }).summary
  expect({ shell, directory, python, network, binds, timeout }).toEqual({
    shell: 'bash',
    directory: '/work',
    python: true,
    network: 'none',
    binds: [],
    timeout: 30,
  })
})
