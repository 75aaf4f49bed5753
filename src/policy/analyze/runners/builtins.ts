import type { Argument } from '../words.ts'
import { type Context, joined, type Runner } from './context.ts'

const evaluate: Runner = (args, context) => {
  const words = args[0]?.value === '--' ? args.slice(1) : args
  if (words.length > 0) context.script(joined(words))
}

/** `trap 'script' EXIT`; a dash, nothing, and an option set none. */
const trap: Runner = (args, context) => {
  const words = args[0]?.value === '--' ? args.slice(1) : args
  const [script] = words
  if (script === undefined || (words.length === 1 && script.value !== undefined)) return
  if (script.value === '-' || script.value === '' || script.value === '-p' || script.value === '-l') return
  context.script(script.value)
}

/** What a name stands for is read as a script. */
const alias: Runner = (args, context) => {
  for (const { value } of args) {
    if (value === undefined) context.opaque('script')
    else if (value.includes('=')) context.script(value.slice(value.indexOf('=') + 1))
  }
}

const sourced: Runner = (args, context) => {
  if (args.length > 0) context.opaque('file')
}

/** Options of builtins whose value is a script, or which change what a name runs. */
function opaqueWith(options: RegExp, kind: 'script' | 'file' | 'name'): Runner {
  return (args, context) => {
    if (args.some(({ value, prefix }) => (value === undefined ? !/^[^-]/.test(prefix) : options.test(value))))
      context.opaque(kind)
  }
}

/** Names of variables that a builtin sets: an index in one (`a[$(…)]`) is evaluated. */
function setting(isName: (args: readonly Argument[], at: number) => boolean): Runner {
  return (args, context) => {
    for (const [at, arg] of args.entries()) {
      refuseIndex(arg, context)
      if (!isName(args, at)) continue
      const [name = '', ...value] = (arg.value ?? '').split('=')
      if (arg.value === undefined) context.opaque('name')
      else if (/^[A-Za-z_]\w*$/.test(name)) {
        context.collector.assignment(name, value.length > 0 ? value.join('=') : undefined)
      }
    }
  }
}

function refuseIndex({ value }: Argument, { opaque }: Context): void {
  if (value !== undefined && /\[.*[$`]/s.test(value)) opaque('script')
}

const isNoOption = (args: readonly Argument[], at: number) => args[at]?.prefix.startsWith('-') !== true

const isAfterV = (args: readonly Argument[], at: number) => args[at - 1]?.value === '-v'

/** `export NAME=value`, where the parser sees an assignment, is taken down there. */
const declaring: Runner = setting((args, at) => {
  const { value, text = '', prefix = '' } = args[at] ?? {}
  if (/^[A-Za-z_]\w*(?:\[.*\])?\+?=/.test(text)) return false
  return value === undefined ? !prefix.startsWith('-') && !prefix.includes('=') : value.includes('=')
})

/** Programs whose input is code of another language. */
const language: Runner = (args, context) => {
  if (args.length > 0 || context.input.kind !== 'inherited') context.opaque('language')
  else context.opaque('script')
}

const LANGUAGES =
  'awk gawk mawk nawk lua lua5.1 lua5.3 lua5.4 luajit perl php python python2 python3 ruby node nodejs deno bun tclsh js-exec'.split(
    ' ',
  )

/** What each of these runs, or sets. */
export const BUILTINS: readonly (readonly [name: string, runner: Runner])[] = [
  ['eval', evaluate],
  ['trap', trap],
  ['alias', alias],
  ['.', sourced],
  ['source', sourced],
  ['hash', opaqueWith(/^-\w*p/, 'name')],
  ['enable', opaqueWith(/^-\w*f/, 'file')],
  ['complete', opaqueWith(/^-\w*[CF]/, 'script')],
  ['compgen', opaqueWith(/^-\w*[CFW]/, 'script')],
  ['mapfile', opaqueWith(/^-\w*C/, 'script')],
  ['readarray', opaqueWith(/^-\w*C/, 'script')],
  ['bind', opaqueWith(/^/, 'script')],
  ['fc', opaqueWith(/^/, 'script')],
  ['read', setting(isNoOption)],
  ['getopts', setting((_args, at) => at === 1)],
  ['printf', setting(isAfterV)],
  ['unset', setting(() => false)],
  ['test', setting(() => false)],
  ['[', setting(() => false)],
  ['let', setting(() => false)],
  ...['export', 'readonly', 'declare', 'typeset', 'local'].map((name) => [name, declaring] as const),
  ...LANGUAGES.map((name) => [name, language] as const),
]
