import { requirePeer } from '../tools/require-peer.ts'

/** What is used of `@valibot/to-json-schema`. */
export const { toJsonSchema } = await requirePeer(
  '@valibot/to-json-schema',
  () => import('@valibot/to-json-schema'),
)
