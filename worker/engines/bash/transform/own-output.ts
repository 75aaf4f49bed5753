import type { NodeOf, SimpleCommandNode, StatementNode, SyntaxNode } from '../just-bash.ts'
import { OUTPUTS } from './file-output.ts'
import { group, plainText, single } from './nodes.ts'
import { INPUT_READERS } from './shared-input.ts'
import { innerOf, isNode } from './walk.ts'

type Redirection = SimpleCommandNode['redirections'][number]

/** Programs that refuse to read what they write to. */
const REFUSE: ReadonlySet<string> = new Set(['cat', 'grep', 'egrep', 'fgrep'])

/**
 * `{ echo a; wc -l < f; } > f`: just-bash writes the file when the group has ended. Rewritten in place to
 * `{ { echo a; } > f; { wc -l < f; } >> f; }`.
 *
 * @throws Error where a program in it reads the file otherwise, as in a loop
 */
export function writeAtOnce(value: object): void {
  if (isNode(value) && isCompound(value)) {
    const file = value.redirections.map(fileOf).find((name) => name !== undefined)
    if (file !== undefined && innerOf(value).some((inner) => reads(inner, file))) {
      if (value.type !== 'Group' || !value.body.every((one) => isKnown(one, file)))
        throw new Error(
          `${file} cannot be read here in a command whose output it gets: write >> ${file} in each`,
        )
      value.body.forEach(writeAtOnce)
      spread(value)
      return
    }
  }
  for (const inner of innerOf(value)) writeAtOnce(inner)
}

type Compound = SyntaxNode & { readonly redirections: readonly Redirection[] }

const isCompound = (node: SyntaxNode): node is Compound =>
  'redirections' in node && node.type !== 'SimpleCommand'

/** The file that gets the output; undefined where that is no file whose name the script tells. */
function fileOf({ operator, target }: Redirection): string | undefined {
  const file = OUTPUTS.has(operator) && target.type === 'Word' ? plainText(target) : undefined
  return file === undefined || /^\d*$|^-$|^\/dev\//.test(file) ? undefined : file
}

function spread(node: NodeOf<'Group'>): void {
  const opened = node.redirections
  const appended = opened.map((one): Redirection => {
    if (fileOf(one) === undefined || one.operator.includes('>>')) return one
    return { ...one, operator: one.operator === '&>' ? '&>>' : '>>' }
  })
  node.body = node.body.map((one, at) => single(group([one], at === 0 ? opened : appended)))
  node.redirections = []
}

/** Whether a statement reads the file at its top, where what came before is written. */
function isKnown({ pipelines }: StatementNode, file: string): boolean {
  return pipelines.every(({ commands }) =>
    commands.every((command) => {
      if (command.type === 'SimpleCommand')
        return !REFUSE.has(plainText(command.name) ?? '') || !readsItself(command, file)
      return !reads(command, file) || (command.type === 'Group' && isElsewhere(command, file))
    }),
  )
}

/** Whether the output of a group goes to another file. */
const isElsewhere = ({ redirections }: NodeOf<'Group'>, file: string) =>
  redirections.some((one) => (one.fd ?? 1) === 1 && fileOf(one) !== undefined && fileOf(one) !== file)

function reads(value: object, file: string): boolean {
  if (isNode(value) && value.type === 'SimpleCommand' && readsItself(value, file)) return true
  return innerOf(value).some((inner) => reads(inner, file))
}

function readsItself({ name, args, redirections }: SimpleCommandNode, file: string): boolean {
  const isInput = redirections.some(
    ({ operator, target }) => operator === '<' && target.type === 'Word' && plainText(target) === file,
  )
  return (
    isInput || (INPUT_READERS.has(plainText(name) ?? '') && args.some((word) => plainText(word) === file))
  )
}
