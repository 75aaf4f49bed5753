import { expect, test } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { approvalOf } from '../../src/tools/approval.ts'
import { sandboxTools } from '../../src/tools/sandbox-tools.ts'
import { refusalOf } from '../sandbox/refusal.ts'

const tools = sandboxTools(new StrandsShellSandbox(), { include: ['shell', 'read_file'] })

test('approval is for all calls, for none, or for those that a function says', () => {
  const asked = tools.map((tool) =>
    approvalOf(({ name }, { path }) => name === 'shell' || path === '/a', tool),
  )
  const answers = asked.map((ask) => typeof ask === 'function' && [ask({}), ask({ path: '/a' })])
  expect(answers).toEqual([
    [true, true],
    [false, true],
  ])
  expect(tools.map((tool) => [approvalOf(true, tool), approvalOf(false, tool)])).toEqual([
    [true, false],
    [true, false],
  ])
})

test('anything else is refused', () => {
  const given: unknown = JSON.parse('"always"')
  const refusals = tools.map((tool) => refusalOf(() => Reflect.apply(approvalOf, undefined, [given, tool])))
  expect(refusals).toEqual([
    {
      field: 'needsApproval',
      message: 'needsApproval must be true, false or a function, but is a string of 6 characters.',
    },
    {
      field: 'needsApproval',
      message: 'needsApproval must be true, false or a function, but is a string of 6 characters.',
    },
  ])
})
