import { type Command, parse, type Word } from 'unbash'
import { constructFor } from './builtins.ts'
import { endOf } from './end-of.ts'
import { nameOf } from './facts.ts'
import { MAY_BE_PIPED, writePiped } from './piped-scripts.ts'
import { programAt, SHELL } from './program-paths.ts'
import { Script } from './script.ts'
import { LIMITED, limitOf } from './timeouts.ts'
import { walk } from './walk.ts'
import { literalOf, NAME } from './words.ts'

const MAY = /\b(?:env|eval|command|timeout|let)\b|\bprintf -v|\/bin\//

/**
 * Writes `/bin/C` as `C`, `env NAME=V C`, `command C` and `eval 'C'` as what they run, `timeout N C` as a group, and builtins
 * as constructs. `A | sh` writes a file and runs it.
 *
 * @param functions - names that stand for functions of the session: `command` passes them by.
 */
export function desugared(source: string, functions: ReadonlyMap<string, unknown>): string {
  const isPiped = MAY_BE_PIPED.test(source)
  if (!isPiped && !MAY.test(source)) return source
  const tree = parse(source)
  if (isPiped) {
    const script = new Script(source)
    writePiped(tree, script)
    if (script.isChanged) return desugared(script.text({ pos: 0, end: source.length }), functions)
  }
  const names = new Set(functions.keys())
  const found: Command[] = []
  walk(tree, ({ node }) => {
    if (node.type === 'Function') names.add(node.name.text)
    if (node.type === 'Command') found.push(node)
  })
  const script = new Script(source)
  for (const command of found) {
    const program = programAt(nameOf(command))
    if (program !== undefined && command.name !== undefined && !names.has(program)) {
      script.replace(command.name, program)
      continue
    }
    if (nameOf(command) === 'eval' && !names.has('eval')) {
      const last = command.args.at(-1)?.end
      const text = source.includes('<<') ? undefined : evaluated(command)
      const isRedirected =
        command.redirects.length > 0 && command.redirects.every(({ pos }) => pos > (last ?? pos))
      if (last === undefined || (text === undefined && !isRedirected)) continue
      script.replace(
        { pos: command.pos, end: last },
        `{ ${text ?? script.text({ pos: command.pos, end: last })}; }`,
      )
      continue
    }
    const construct = names.has(nameOf(command) ?? '') ? undefined : constructFor(command, script)
    if (construct !== undefined) {
      script.replace(command, construct)
      continue
    }
    const runs = whatRuns(command)
    const name = literalOf(runs?.command)
    if (runs === undefined || command.name === undefined) continue
    if (name !== undefined && (names.has(name) || (runs.isProgram && SHELL.has(name)))) continue
    script.replace({ pos: command.name.pos, end: runs.from }, '')
    if (runs.limit !== undefined) {
      script.insert(command.pos, `{ ${LIMITED} ${runs.limit}; `)
      script.insert(endOf(command), '; }')
    } else if (runs.without !== undefined) {
      script.insert(command.pos, ` ( ${runs.without}; `)
      script.insert(endOf(command), ' )')
    }
  }
  const text = script.isChanged ? script.text({ pos: 0, end: source.length }) : source
  return text === source ? source : desugared(text, functions)
}

/** The text that an `eval` runs, where it is written out and is as good in a group. */
function evaluated({ args, prefix }: Command): string | undefined {
  if (prefix.length > 0) return undefined
  const words = args.map((arg) => (arg.type === 'Word' ? literalOf(arg) : undefined))
  if (words.includes(undefined)) return undefined
  const text = words.join(' ').trim()
  const { errors = [], commands } = parse(text)
  return commands.length === 0 || errors.length > 0 || /[;&\\]$|#|<<|`|\balias\b/.test(text)
    ? undefined
    : text
}

function whatRuns(command: Command) {
  const name = nameOf(command)
  if (name === 'timeout') return whatIsLimited(command)
  if (name !== 'env' && name !== 'command') return undefined
  const words = command.args.filter((arg) => arg.type === 'Word')
  if (words.length !== command.args.length) return undefined
  const removed = name === 'env' && command.prefix.length === 0 ? removedBy(words) : []
  const rest = words.slice(removed.length)
  const [first] = rest
  if (first === undefined || first.text.startsWith('-')) return undefined
  const found = name === 'env' ? rest.find(({ text }) => !/^[A-Za-z_]\w*=/.test(text)) : first
  const without = unsetting(removed)
  const isListing = found?.text === 'env' || (found?.text === 'printenv' && rest.at(-1) === found)
  if (found === undefined || (without === CLEAR && isListing)) return undefined
  return { command: found, from: first.pos, isProgram: name === 'env', limit: undefined, without }
}

/** Unsets all variables. */
const CLEAR = "__ssr_clear ''"

/** What unsets the variables that options of `env` take away; undefined where there are none. */
function unsetting(removed: readonly string[]): string | undefined {
  if (removed.includes(ALL)) return CLEAR
  const names = removed.filter((one) => one !== '')
  return names.length === 0 ? undefined : `unset ${names.join(' ')}`
}

const ALL = '*'

/** What the first words of `env` take away, one each: a name, all, or nothing where the name follows. */
function removedBy(words: readonly Word[]): string[] {
  const found: string[] = []
  for (const [index, word] of words.entries()) {
    const literal = literalOf(word) ?? ''
    const isName = literalOf(words[index - 1]) === '-u' && found.at(-1) === ''
    const [, attached] = /^(?:-u|--unset=)(\w+)$/.exec(literal) ?? []
    const name = isName ? literal : attached
    if (name !== undefined && !NAME.test(name)) return []
    if (name !== undefined) found.push(name)
    else if (literal === '-u') found.push('')
    else if (/^(?:-|-i|--ignore-environment)$/.test(literal)) found.push(ALL)
    else break
  }
  return found
}

function whatIsLimited(node: Command) {
  const found = limitOf(node)
  if (found === undefined) return undefined
  const { command, limit, status } = found
  return {
    command,
    from: command.pos,
    isProgram: true,
    without: undefined,
    limit: limit === '0' ? undefined : `${limit} ${status}`,
  }
}
