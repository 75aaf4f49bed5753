import fc from 'fast-check'
import { below, isPossible, type Operation, type Tree } from './model.ts'

/** A change in the abstract: numbers choose among what is there when its turn comes, so that it can be shrunk. */
export interface Act {
  readonly what: (typeof WHAT)[number]
  readonly from: number
  readonly into: number
  readonly name: number
  readonly size: number
}

/** What happens around one call, in order: the host's changes, the call with the sandbox's, the host's meanwhile. */
export interface Call {
  readonly host: readonly Act[]
  readonly sandbox: readonly Act[]
  readonly meanwhile: readonly Act[]
  readonly style: (typeof STYLES)[number]
  /** Host writes keep the time of modification. */
  readonly restoreTimes: boolean
}

const WHAT = [
  'write',
  'create',
  'append',
  'empty',
  'replace',
  'copy',
  'copyOver',
  'move',
  'moveOver',
  'remove',
  'directory',
  'chmod',
  'link',
  'touch',
  'ahead',
  'turn',
] as const

const STYLES = ['lines', 'and', 'readers', 'function', 'files', 'cd'] as const

/** A few sizes, so that files of the same size are many. */
const SIZES = [9, 9, 9, 9, 20, 3000]
const FILE_MODES = [0o644, 0o600, 0o755, 0o444, 0o640, 0o555]
/** What is in a write-protected directory only root can change on the host. */
const DIRECTORY_MODES = process.getuid?.() === 0 ? [0o755, 0o700, 0o555, 0o750] : [0o755, 0o700, 0o750]
const NAMES = [
  'a',
  'b',
  'c.txt',
  'd',
  ' led by a blank',
  'trailing ',
  '-dash',
  '--',
  "quo'te",
  'dou"ble',
  'new\nline',
  'ends in one\n',
  '\nbegins',
  'ünï-e\u0301',
  '日本語',
  'a -> b',
  'colon:',
  '.dot',
  '..three',
  'back\\slash',
  '$HOME',
  '*',
  'x;y&z',
  '#hash',
  'tab\t.',
  '~',
  '\u{1f600}',
]

const act: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom(...WHAT),
  from: fc.nat({ max: 40 }),
  into: fc.nat({ max: 10 }),
  name: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: NAMES.length - 1 })),
  size: fc.nat({ max: SIZES.length - 1 }),
})

const acts = (maxLength: number) => fc.array(act, { maxLength })

/** Calls, with changes of the host while some of them run where `meanwhile` is set. */
export function calls(meanwhile: boolean): fc.Arbitrary<Call[]> {
  const none: fc.Arbitrary<readonly Act[]> = fc.constant([])
  const call = fc.record({
    host: acts(4),
    sandbox: acts(5),
    meanwhile: meanwhile ? fc.oneof(none, acts(3)) : none,
    style: fc.constantFrom(...STYLES),
    restoreTimes: fc.boolean(),
  })
  return fc.array(call, { minLength: 1, maxLength: 6 })
}

/** Gives out texts, each of which says where it was written and is contained in no other. */
export class Texts {
  #count = 0

  next(size: number): string {
    this.#count += 1
    return `<${String(this.#count).padStart(7, '0')}>`.padEnd(SIZES[size] ?? 9, '.')
  }
}

/** What an act comes to where the tree is like this; nothing where it is not possible. */
export function operationsFor(act: Act, tree: Tree, texts: Texts): Operation[] {
  const operations = candidates(act, tree, texts)
  return operations.length === 1 && operations.some((each) => !isPossible(tree, each)) ? [] : operations
}

function candidates({ what, from, into, name, size }: Act, tree: Tree, texts: Texts): Operation[] {
  const paths = [...tree.keys()].sort()
  const files = paths.filter((path) => tree.get(path)?.kind === 'file')
  const directories = ['', ...paths.filter((path) => tree.get(path)?.kind === 'directory')]
  const file = pick(files, from)
  const any = pick(paths, from)
  const directory = pick(directories, into) ?? ''
  const fresh = (directory === '' ? '' : `${directory}/`) + (NAMES[name] ?? 'a')
  const text = () => texts.next(size)
  switch (what) {
    case 'create':
      return [{ do: 'write', path: fresh, text: text() }]
    case 'directory':
      return [{ do: 'directory', path: fresh }]
    case 'link':
      return [{ do: 'link', path: fresh, target: LINKS[size] ?? 'a' }]
    case 'copy':
      return file === undefined ? [] : [{ do: 'copy', path: file, to: fresh }]
    case 'copyOver':
      return file === undefined ? [] : [{ do: 'copy', path: file, to: pick(files, from + 1 + into) ?? '' }]
    case 'move':
      return any === undefined ? [] : [{ do: 'move', path: any, to: fresh }]
    case 'moveOver':
      return any === undefined ? [] : moveOver(tree, any, pick(paths, from + 1 + into) ?? '')
    case 'remove':
      return any === undefined ? [] : [{ do: 'remove', path: any }]
    case 'chmod': {
      const modes = any !== undefined && tree.get(any)?.kind === 'directory' ? DIRECTORY_MODES : FILE_MODES
      return any === undefined ? [] : [{ do: 'chmod', path: any, mode: modes[size] ?? modes[0] ?? 0o755 }]
    }
    case 'turn':
      return any === undefined ? [] : turn(tree, any, text())
    case 'touch':
    case 'ahead':
      return file === undefined ? [] : [{ do: what, path: file }]
    case 'empty':
      return file === undefined ? [] : [{ do: 'write', path: file, text: '' }]
    default:
      return file === undefined ? [] : [{ do: what, path: file, text: text() }]
  }
}

/** Links that stay in the bind, or lead to nothing in it. */
const LINKS = ['a', 'd/b', 'new\nline', '-x', 'a -> b', 'ünï']

/** Over a file; in the place of a directory, once that is gone. */
function moveOver(tree: Tree, path: string, to: string): Operation[] {
  if (tree.get(to)?.kind !== 'directory') return [{ do: 'move', path, to }]
  if (path === to || path.startsWith(`${to}/`) || !isPossible(tree, { do: 'remove', path: to })) return []
  const without: Tree = new Map([...tree].filter(([each]) => !below(tree, to).has(each)))
  const move: Operation = { do: 'move', path, to }
  return isPossible(without, move) ? [{ do: 'remove', path: to }, move] : []
}

/** A file in the place of a directory, or the other way round, with something in it. */
function turn(tree: Tree, path: string, text: string): Operation[] {
  const kind = tree.get(path)?.kind
  if (!isPossible(tree, { do: 'remove', path })) return []
  if (kind === 'directory')
    return [
      { do: 'remove', path },
      { do: 'write', path, text },
    ]
  return [
    { do: 'remove', path },
    { do: 'directory', path },
    { do: 'write', path: `${path}/in it`, text },
  ]
}

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items[index % Math.max(1, items.length)]
}
