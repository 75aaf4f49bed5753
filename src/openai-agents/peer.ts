import { requirePeer } from '../tools/require-peer.ts'

export const { applyDiff, tool } = await requirePeer('@openai/agents', () => import('@openai/agents'))
