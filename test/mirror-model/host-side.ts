import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { Operation, Tree } from './model.ts'

/** Does an operation on the host's side. */
export function doOnHost(root: string, operation: Operation, restoreTimes: boolean): void {
  const path = `${root}/${operation.path}`
  switch (operation.do) {
    case 'write': {
      const times = restoreTimes ? lstatSync(path, { throwIfNoEntry: false }) : undefined
      writeFileSync(path, operation.text)
      // The time of change still tells.
      if (times !== undefined) utimesSync(path, times.atime, times.mtime)
      break
    }
    case 'append':
      appendFileSync(path, operation.text)
      break
    case 'replace':
      writeFileSync(`${root}/.replacing`, operation.text)
      renameSync(`${root}/.replacing`, path)
      break
    case 'copy':
      writeFileSync(`${root}/${operation.to}`, readFileSync(path))
      break
    case 'move':
      renameSync(path, `${root}/${operation.to}`)
      break
    case 'remove':
      rmSync(path, { recursive: true })
      break
    case 'directory':
      mkdirSync(path, { recursive: true })
      break
    case 'chmod':
      chmodSync(path, operation.mode)
      break
    case 'link':
      symlinkSync(operation.target, path)
      break
    case 'touch':
      appendFileSync(path, '')
      utimesSync(path, new Date(), new Date())
      break
    case 'ahead':
      utimesSync(path, new Date('2035-01-01'), new Date('2035-01-01'))
  }
}

/** Everything on the host's side. */
export function readHost(root: string): Tree {
  const tree: Tree = new Map()
  const pending = ['']
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const name of readdirSync(`${root}/${directory}`)) {
      const path = directory === '' ? name : `${directory}/${name}`
      const at = `${root}/${path}`
      const stats = lstatSync(at)
      const mode = stats.mode & 0o777
      if (stats.isSymbolicLink()) tree.set(path, { kind: 'link', target: readlinkSync(at) })
      else if (stats.isFile()) tree.set(path, { kind: 'file', mode, text: readFileSync(at, 'utf8') })
      else {
        tree.set(path, { kind: 'directory', mode })
        pending.push(path)
      }
    }
  }
  return tree
}
