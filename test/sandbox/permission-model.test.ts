import { expect, test } from 'vitest'
import { openingError } from '../../src/sandbox/opening-error.ts'
import { forbiddenByNode } from '../../src/sandbox/permission-model.ts'

/** An error as Node's permission model throws it. */
function denied(permission: string, resource = ''): Error {
  const fields = { code: 'ERR_ACCESS_DENIED', permission, resource }
  return Object.assign(new Error('Access to this API has been restricted'), fields)
}

test.each([
  [
    'WorkerThreads',
    '',
    "does not allow WorkerThreads (Access to this API has been restricted). Start Node with `--allow-worker`; in Node 20, isolation: 'process' does without.",
  ],
  [
    'ChildProcess',
    '',
    "does not allow ChildProcess (Access to this API has been restricted). Start Node with `--allow-child-process`, or take isolation: 'worker' or 'shared'.",
  ],
  [
    'FileSystemRead',
    '/etc/x',
    "does not allow FileSystemRead of '/etc/x' (Access to this API has been restricted). Start Node with `--allow-fs-read`.",
  ],
])('an opening that Node does not allow %s says so', (permission, resource, text) => {
  const { code, message } = openingError(denied(permission, resource))
  expect({ code, message }).toEqual({
    code: 'WORKER_LOST',
    message: `The sandbox was not opened: Node's permission model ${text}`,
  })
})

test('no other error is taken for one', () => {
  const others = [
    new Error('ERR_ACCESS_DENIED'),
    Object.assign(new Error('x'), { code: 'EACCES' }),
    'ERR_ACCESS_DENIED',
  ]
  expect(others.map(forbiddenByNode)).toEqual([undefined, undefined, undefined])
})
