import { isText } from '../constructs/fed-programs.ts'
import type { CommandRule } from './command.ts'
import { ownOptions } from './own-options.ts'

/** Where every sandbox can write, and devices. */
const WRITABLE = /^\/(?:dev|home|tmp|workspace)\//

/** `tee` of the engine prints nothing where it cannot open a file: where that may be so, and the input is text, ours runs. */
export const tee: CommandRule = (command, work, place) => {
  ownOptions(command, work)
  const isFar = command.literals.some(
    (literal) => literal?.startsWith('/') === true && !WRITABLE.test(literal),
  )
  if (isFar && place !== undefined && isText(command.node, work, place))
    work.script.replace(command.nameWord, work.program('tee'))
}
