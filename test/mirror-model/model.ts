/** What one side of a mirror has at a path. */
export type Entry =
  | { readonly kind: 'file'; readonly mode: number; readonly text: string }
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }

/** One side of a mirror, or the plain model of both: entries by path below the root, which itself is not in it. */
export type Tree = Map<string, Entry>

/** A change as both sides can make it. */
export type Operation =
  | { readonly do: 'write' | 'append' | 'replace'; readonly path: string; readonly text: string }
  | { readonly do: 'copy' | 'move'; readonly path: string; readonly to: string }
  | { readonly do: 'remove' | 'directory' | 'touch' | 'ahead'; readonly path: string }
  | { readonly do: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly do: 'link'; readonly path: string; readonly target: string }

const NEW_FILE = 0o644
const NEW_DIRECTORY = 0o755

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Applies an operation that {@link isPossible} to the model. */
export function apply(tree: Tree, operation: Operation): void {
  const { path } = operation
  const old = tree.get(path)
  const modeOf = (entry: Entry | undefined) => (entry?.kind === 'file' ? entry.mode : NEW_FILE)
  const textOf = (entry: Entry | undefined) => (entry?.kind === 'file' ? entry.text : '')
  switch (operation.do) {
    case 'write':
      tree.set(path, { kind: 'file', mode: modeOf(old), text: operation.text })
      break
    case 'append':
      tree.set(path, { kind: 'file', mode: modeOf(old), text: textOf(old) + operation.text })
      break
    case 'replace':
      tree.set(path, { kind: 'file', mode: NEW_FILE, text: operation.text })
      break
    case 'copy':
      tree.set(operation.to, { kind: 'file', mode: modeOf(tree.get(operation.to)), text: textOf(old) })
      break
    case 'move':
      move(tree, path, operation.to)
      break
    case 'remove':
      for (const [each] of below(tree, path)) tree.delete(each)
      break
    case 'directory':
      if (old === undefined) tree.set(path, { kind: 'directory', mode: NEW_DIRECTORY })
      break
    case 'chmod':
      if (old !== undefined && old.kind !== 'link') tree.set(path, { ...old, mode: operation.mode })
      break
    case 'link':
      tree.set(path, { kind: 'link', target: operation.target })
      break
    case 'touch':
      if (old === undefined) tree.set(path, { kind: 'file', mode: NEW_FILE, text: '' })
  }
}

/** Whether both sides would do it, and do the same: what is write-protected is left alone, links are not followed. */
export function isPossible(tree: Tree, operation: Operation): boolean {
  const { path } = operation
  const old = tree.get(path)
  const canReplace = (at: string) => {
    const kind = tree.get(at)?.kind
    return (kind === undefined || kind === 'file') && isWritable(tree, parentOf(at))
  }
  const canFill = (at: string) => {
    const kind = tree.get(at)?.kind
    return kind === undefined ? isWritable(tree, parentOf(at)) : kind === 'file' && isWritable(tree, at)
  }
  switch (operation.do) {
    case 'write':
    case 'append':
      return canFill(path)
    case 'replace':
      return canReplace(path) && isWritable(tree, path)
    case 'copy':
      return old?.kind === 'file' && path !== operation.to && canFill(operation.to)
    case 'move': {
      const { to } = operation
      if (old === undefined || path === to || to.startsWith(`${path}/`)) return false
      if (!isWritable(tree, path) || !isWritable(tree, parentOf(path)) || !canReplace(to)) return false
      return tree.get(to) === undefined || (old.kind === 'file' && isWritable(tree, to))
    }
    case 'remove':
      if (old === undefined || !isWritable(tree, parentOf(path))) return false
      return [...below(tree, path)].every(([each]) => isWritable(tree, each))
    case 'directory':
      return (old === undefined && isWritable(tree, parentOf(path))) || old?.kind === 'directory'
    case 'chmod':
      return old !== undefined && old.kind !== 'link'
    case 'link':
      return old === undefined && isWritable(tree, parentOf(path))
    case 'touch':
      return canFill(path)
    case 'ahead':
      return old?.kind === 'file'
  }
}

function isWritable(tree: Tree, path: string): boolean {
  if (path === '') return true
  const entry = tree.get(path)
  return entry === undefined || entry.kind === 'link' || (entry.mode & 0o200) !== 0
}

function move(tree: Tree, path: string, to: string): void {
  for (const [each, entry] of below(tree, path)) {
    tree.delete(each)
    tree.set(to + each.slice(path.length), entry)
  }
}

/** A path and all in it. */
export function below(tree: Tree, path: string): Map<string, Entry> {
  return new Map([...tree].filter(([each]) => each === path || each.startsWith(`${path}/`)))
}

/** A tree as a plain object, in order, for messages and comparison. */
export function shown(tree: Tree): Record<string, string> {
  const lines: Record<string, string> = {}
  for (const path of [...tree.keys()].sort()) {
    const entry = tree.get(path)
    if (entry?.kind === 'link') lines[path] = `-> ${entry.target}`
    else if (entry?.kind === 'directory') lines[path] = `/ ${entry.mode.toString(8)}`
    else if (entry?.kind === 'file') lines[path] = `${entry.mode.toString(8)} ${entry.text}`
  }
  return lines
}
