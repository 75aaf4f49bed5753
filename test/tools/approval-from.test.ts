import { expect, test } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import type { Policy, PolicyCall } from '../../src/policy/types.ts'
import { approvalFrom } from '../../src/tools/approval-from.ts'
import { sandboxTools } from '../../src/tools/sandbox-tools.ts'
import { refusalOf } from '../sandbox/refusal.ts'

const sandbox = new StrandsShellSandbox()
const names = { shell: 'bash', run_code: 'code', list_files: 'ls' }
const tools = sandboxTools(sandbox, { names })

async function answers(policy: Policy, inputs: Readonly<Record<string, Record<string, unknown>>>) {
  const needsApproval = approvalFrom(policy, sandbox)
  const asked = tools.map(async (tool) => [tool.name, await needsApproval(tool, inputs[tool.name] ?? {})])
  return Object.fromEntries(await Promise.all(asked))
}

test('a call needs approval where the policy asks; its approver is not called', async () => {
  const calls: PolicyCall[] = []
  const policy: Policy = (call, { commands }) => {
    calls.push(call)
    if (call.kind === 'command' && commands[0]?.name === 'ls') return { deny: 'no' }
    if (call.kind === 'file' && call.operation === 'list') return 'allow'
    return {
      ask: () => {
        throw new Error('asked')
      },
    }
  }
  expect(
    await answers(policy, {
      bash: { command: 'ls' },
      code: { code: 'x', language: 'lua' },
      read_file: { path: '/a' },
      write_file: { path: '/b', content: '' },
      edit_file: { command: 'insert', path: '/c' },
    }),
  ).toEqual({ bash: false, code: true, ls: false, read_file: true, write_file: true, edit_file: true })
  const of = { id: undefined, labels: {}, shell: 'strands', generation: 0 }
  expect(calls.map((call) => ({ ...call, sandbox: { ...call.sandbox, generation: 0 } }))).toEqual([
    { sandbox: of, kind: 'command', command: 'ls', cwd: undefined },
    { sandbox: of, kind: 'file', operation: 'read', path: '/a', to: undefined },
    { sandbox: of, kind: 'file', operation: 'write', path: '/b', to: undefined },
    { sandbox: of, kind: 'file', operation: 'write', path: '/c', to: undefined },
    { sandbox: of, kind: 'file', operation: 'list', path: '.', to: undefined },
    { sandbox: of, kind: 'code', code: 'x', language: 'lua', cwd: undefined },
  ])
})

test('a policy that fails asks', async () => {
  const failing: Policy = () => {
    throw new Error('x')
  }
  expect(Object.values(await answers(failing, {}))).toEqual(tools.map(() => true))
})

test('what is no policy is refused', () => {
  expect(refusalOf(() => Reflect.apply(approvalFrom, undefined, [true, sandbox]))).toEqual({
    field: 'policy',
    message: 'policy must be a function, but is a boolean.',
  })
})
