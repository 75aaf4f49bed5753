import { isText } from '../constructs/fed-programs.ts'
import type { CommandRule } from './command.ts'
import { ownOptions } from './own-options.ts'

/** Files that the engine can open, but where a directory has their name. */
const OPENED = /^(?:(?:\/home\/lash\/|\/tmp\/|\/workspace\/)?(?!\.{1,2}$)[^/]+|\/dev\/null)$/

/** `tee` of the engine prints nothing where it cannot open a file: where that may be so, and the input is text, ours runs. */
export const tee: CommandRule = (command, work, place) => {
  ownOptions(command, work)
  const isSure = command.literals.every((literal) => literal !== undefined && OPENED.test(literal))
  if (!isSure && place !== undefined && isText(command.node, work, place))
    work.script.replace(command.nameWord, work.program('tee'))
}
