import { requirePeer } from '../tools/require-peer.ts'

/** What is used of Hono: a router. */
export const { RegExpRouter } = await requirePeer('hono', () => import('hono/router/reg-exp-router'))
