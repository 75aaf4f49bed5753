import { expect, test } from 'vitest'
import { SandboxNames } from '../../src/mcp/http/sandbox-names.ts'

test('a client has its own name, also when it comes again, and a number behind it in further sessions', () => {
  const names = new SandboxNames()
  expect([names.take('alice'), names.take('alice'), names.take('bob'), names.take('alice')]).toEqual([
    'alice',
    'alice#2',
    'bob',
    'alice#3',
  ])
  names.giveBack('alice#2')
  expect(names.size).toBe(3)
  expect(names.take('alice')).toBe('alice#2')
  names.giveBack('alice')
  expect(names.take('alice')).toBe('alice')
})

test('who has no name gets one that nobody had', () => {
  const names = new SandboxNames()
  expect([names.take(undefined), names.take(undefined)]).toEqual(['session-1', 'session-2'])
  names.giveBack('session-2')
  expect(names.take(undefined)).toBe('session-3')
})
