import type { SyntaxNode } from '../just-bash.ts'
import { plainText } from './nodes.ts'
import type { Traits } from './traits.ts'

/** Builtins that change scalar variables and the directory at most. */
const PLAIN_BUILTINS = new Set([
  ':',
  'true',
  'false',
  'echo',
  'pwd',
  'test',
  '[',
  'type',
  'command',
  'cd',
  'hash',
])

/** Programs that touch files only. A name that is not here may be a builtin, a function or a path. */
const PROGRAMS = new Set(
  (
    'awk basename bc cat chmod cmp comm cp cut date diff dirname du egrep env expand expr fgrep file find fold grep gunzip gzip ' +
    'head hexdump hostname id join jq ln ls md5sum mkdir mktemp mv nl nproc od paste printenv readlink realpath rev rg rm ' +
    'rmdir sed seq sha1sum sha256sum shuf sleep sort split stat strings tac tail tar tee touch tr tree uname uniq wc which ' +
    'whoami xargs xxd yes yq zcat'
  ).split(' '),
)

/** Programs that may run for long. */
const SLOW = new Set(['awk', 'find', 'grep', 'jq', 'sed', 'sleep', 'sort', 'xargs', 'yes', 'yq'])

const LOOPS = new Set(['For', 'CStyleFor', 'While', 'Until'])

/** Nodes that define, assign to arrays, or end the shell. */
const STATEFUL_NODES = new Set([
  'FunctionDef',
  'ErrorIfUnset',
  'ArithAssignment',
  'ArithDynamicAssignment',
  'AssignDefault',
])

/** Readonly in every shell: an assignment leaves its line. */
export const FIXED: ReadonlySet<string> = new Set([
  'UID',
  'EUID',
  'PPID',
  'SHELLOPTS',
  'BASHOPTS',
  'BASH_VERSINFO',
])

/** Whether a name is that of a builtin or program that changes scalar variables and the directory at most. */
export const isPlain = (name: string): boolean => PLAIN_BUILTINS.has(name) || PROGRAMS.has(name)

/** Notes what a node can change beside scalar variables. */
export function noteState(node: SyntaxNode, traits: Traits): void {
  if (LOOPS.has(node.type)) traits.slow = true
  if (node.type === 'For' || node.type === 'Assignment') traits.assigns = true
  if (STATEFUL_NODES.has(node.type)) traits.stateful = true
  else if (node.type === 'Assignment')
    traits.stateful ||= node.array !== null || node.name.includes('[') || FIXED.has(node.name)
  else if (node.type === 'SimpleCommand') {
    const { name } = node
    if (name === null) return
    const text = plainText(name)
    if (text !== undefined) traits.commands.add(text)
    if (text === 'cd') traits.assigns = true
    if (text !== undefined && SLOW.has(text)) traits.slow = true
    if (text === undefined || !isPlain(text)) traits.stateful = true
  }
}
