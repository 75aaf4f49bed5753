import type { SimpleCommandNode } from '../just-bash.ts'
import { innerPath } from './inner-command.ts'
import { literal, plainText } from './nodes.ts'

/** `__echo options words…`: `echo` with its escapes, whose bytes just-bash takes for characters. */
export const ECHO = '__echo'

/** `echo -e '\xe2\x96\x88'` */
export const echoEscapes = (node: SimpleCommandNode): SimpleCommandNode =>
  plainText(node.name) === 'echo' && /^-[nE]*e[neE]*$/.test(plainText(node.args[0]) ?? '')
    ? { ...node, name: literal(innerPath(ECHO)) }
    : node
