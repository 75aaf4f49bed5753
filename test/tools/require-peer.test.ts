import { expect, it } from 'vitest'
import { requirePeer } from '../../src/tools/require-peer.ts'

const notFound = (text: string) => Object.assign(new Error(text), { code: 'ERR_MODULE_NOT_FOUND' })

it('a peer that is there is loaded', async () => {
  expect(await requirePeer('valibot', () => import('valibot'))).toHaveProperty('object')
})

it('one that is missing says how to install it', async () => {
  const cause = notFound("Cannot find package '@scope/peer' imported from here")
  await expect(requirePeer('@scope/peer/part', () => Promise.reject(cause))).rejects.toMatchObject({
    message:
      'This part of strands-shell-runtime needs the package @scope/peer, which is not installed. Install it: npm install @scope/peer',
    code: 'ERR_MODULE_NOT_FOUND',
    cause,
  })
})

it('one that is broken fails as it does', async () => {
  for (const error of [notFound("Cannot find package 'other' imported from peer"), new SyntaxError('peer')]) {
    await expect(requirePeer('peer', () => Promise.reject(error))).rejects.toBe(error)
  }
})
