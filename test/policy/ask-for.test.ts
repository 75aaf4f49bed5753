import { expect, it } from 'vitest'
import { decide } from '../../src/policy/decide.ts'
import { askFor } from '../../src/policy/ready-made/ask-for.ts'
import { commandCall, fileCall } from './calls.ts'

it('askFor asks about every call, or about those that "when" says', async () => {
  const asked: string[] = []
  const approver = ({ call }: { readonly call: { readonly kind: string } }) => {
    asked.push(call.kind)
    return false
  }
  expect(await decide([askFor(approver)], fileCall('read', '/a'))).toMatchObject({ allow: false })
  const removing = askFor(approver, {
    when: async (_call, { commands, opaque }) =>
      opaque.length > 0 || commands.some(({ name }) => name === 'rm'),
  })
  for (const [command, allow] of [
    ['ls', true],
    ['ls; rm a', false],
    ['eval "$x"', false],
  ] as const)
    expect(await decide([removing], commandCall(command))).toMatchObject({ allow })
  expect(asked).toEqual(['file', 'command', 'command'])
})

it('a "when" that throws or gives no boolean denies', async () => {
  const throwing = () => {
    throw new Error('x')
  }
  for (const when of [throwing, () => undefined as never])
    expect(await decide([askFor(() => true, { when })], commandCall('ls'))).toMatchObject({ allow: false })
})

it.each([
  ['approver', () => askFor(true as never)],
  ['when', () => askFor(() => true, { when: true as never })],
  ['whn', () => askFor(() => true, { whn: true } as never)],
])('%s is refused where it is not valid', (field, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
})
