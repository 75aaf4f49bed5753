import { requirePeer } from './require-peer.ts'

const zod = await requirePeer('zod', () => import('zod'))

/** zod's own namespace, of whichever copy is installed. */
export const z: typeof import('zod').z = zod.z
