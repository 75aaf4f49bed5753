import { requirePeer } from '../tools/require-peer.ts'

const NAME = '@strands-agents/sdk'

/** The Strands SDK. */
export const sdk = await requirePeer(NAME, () => import('@strands-agents/sdk'))

/** Its factory of shell tools. */
export const { makeShell } = await requirePeer(NAME, () => import('@strands-agents/sdk/vended-tools/shell'))

/** Its factory of editors. */
export const { makeFileEditor, DEFAULT_FILE_EDITOR_DESCRIPTION } = await requirePeer(
  NAME,
  () => import('@strands-agents/sdk/vended-tools/file-editor'),
)
