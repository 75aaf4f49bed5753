import * as sdk from '@strands-agents/sdk'
import { describe, expect, it } from 'vitest'
import { BashSandbox as CoreSandbox } from '../../src/bash/index.ts'
import { ShellHost } from '../../src/index.ts'
import { asStrandsSandbox, BashSandbox } from '../../src/strands/index.ts'
import { ScriptedModel } from './support/scripted-model.ts'

const bash = (command: string) => [{ tool: 'sandbox_bash', input: { command } }]

describe('a bash sandbox for the Strands SDK', () => {
  it('is one of the SDK, and gives an agent bash', async () => {
    await using sandbox = new BashSandbox({ files: { '/work/sales.csv': 'a,2\nb,3\n' }, cwd: '/work' })
    expect(sandbox).toBeInstanceOf(sdk.Sandbox)
    expect(sandbox.inner).toBeInstanceOf(CoreSandbox)
    const model = new ScriptedModel(
      bash("total=$(awk -F, '{ s += $2 } END { print s }' sales.csv); list=x"),
      bash('[[ $total == 5 ]] && echo "$list y"'),
      [
        {
          tool: 'sandbox_file_editor',
          input: { command: 'create', path: '/srv/new/f', file_text: 'one\n' },
        },
      ],
      bash('cat /srv/new/f; git log'),
      'Done.',
    )
    await new sdk.Agent({ sandbox, model, printer: false }).invoke('Go.')
    expect(model.shown.slice(0, 3)).toEqual([
      '{"output":"","error":""}',
      '{"output":"x y\\n","error":""}',
      'File created successfully at: /srv/new/f',
    ])
    expect(model.shown[3]).toContain('[git is not in this sandbox.')
    expect(sandbox.getTools().at(-1)?.description).toContain('Runs a command in bash')
  })

  it('opens on a host, and closes; its errors are those of the SDK', async () => {
    await using host = new ShellHost({ isolation: 'worker' })
    const sandbox = await BashSandbox.open({ shell: 'bash' }, { host, tools: false })
    expect([host.list().length, sandbox.getTools()]).toEqual([1, []])
    await expect(sandbox.readFile('/nowhere')).rejects.toBeInstanceOf(sdk.SandboxPathNotFoundError)
    await sandbox.close()
    expect(host.list()).toHaveLength(0)
  })

  it('of a host is wrapped as any other', async () => {
    await using host = new ShellHost({ isolation: 'worker' })
    const wrapped = asStrandsSandbox(await host.open({ shell: 'bash' }))
    expect((await wrapped.execute('echo {1..3}')).stdout).toBe('1 2 3\n')
    expect(wrapped.getTools().at(-1)?.description).toContain('Runs a command in bash')
  })

  it('refuses a config that is not valid, by field', () => {
    expect(() => new BashSandbox({ cwd: 'relative' })).toThrow(expect.objectContaining({ field: 'cwd' }))
  })
})
