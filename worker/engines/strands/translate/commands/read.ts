import { assignedValue } from '../constructs/assignments.ts'
import { refuse } from '../refusal.ts'
import { NAME } from '../words.ts'
import type { CommandRule } from './command.ts'

/**
 * `read` of the engine ignores an assignment before it, does not trim a line, and leaves the variables as they were at
 * the end of its input.
 */
export const read: CommandRule = ({ node, words, literals }, work) => {
  const { script } = work
  let raw = false
  let from = 0
  for (; literals[from]?.startsWith('-') === true; from++) {
    const option = literals[from] ?? ''
    if (option === '-r') raw = true
    else if (option === '-p' || option === '-rp') {
      raw ||= option === '-rp'
      from++
    } else refuse(`read ${option}`, 'read whole lines with read -r')
  }
  const names = words.slice(from).map((word) => script.text(word))
  if (names.some((name) => !NAME.test(name))) return
  if (names.length === 0) names.push('REPLY')
  const assigned = node.prefix.find((one) => one.type === 'Assignment' && one.name === 'IFS')
  const value = assigned?.type === 'Assignment' && assigned.value.type === 'Word' ? assigned.value : undefined
  const separators =
    assigned === undefined
      ? `"\${IFS- \t}"`
      : value === undefined || value.text === ''
        ? "''"
        : assignedValue(value, script)
  const rest = node.redirects.map((one) => script.text(one)).join(' ')
  const call =
    raw && separators === "''" && names.length === 1
      ? `__ssr_whole_line ${names[0]}`
      : `__ssr_read ${raw ? 'r' : 'e'} ${separators} ${names.join(' ')}`
  if (rest !== '') script.compounded.add(node)
  script.replace(node, rest === '' ? call : `{ ${call}; } ${rest}`)
}
