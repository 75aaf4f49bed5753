import type { CommandRule } from './command.ts'

/** `getopts` of the engine sets `OPTARG` to nothing for an option without a value. */
export const getopts: CommandRule = ({ node, nameWord, words }, { script }) => {
  const last = words.at(-1)
  if (last === undefined || words.length < 2 || node.redirects.length + node.prefix.length > 0) return
  script.replace(nameWord, '__ssr_getopts')
  if (words.length === 2) script.insert(last.end, ' "$@"')
}
