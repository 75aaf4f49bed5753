import type { NativeShell } from '../../worker/engines/strands/native-shell.ts'
import type { Operation, Tree } from './model.ts'

/** A word that stands for `text` literally. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The command that does an operation below `root`. */
export function commandFor(root: string, operation: Operation): string {
  const at = (path: string) => quoted(`${root}/${path}`)
  const path = at(operation.path)
  switch (operation.do) {
    case 'write':
      return `printf '%s' ${quoted(operation.text)} > ${path}`
    case 'append':
      return `printf '%s' ${quoted(operation.text)} >> ${path}`
    case 'replace':
      return `printf '%s' ${quoted(operation.text)} > ${root}/.replacing && mv ${root}/.replacing ${path}`
    case 'copy':
      return `cat ${path} > ${at(operation.to)}`
    case 'move':
      return `mv ${path} ${at(operation.to)}`
    case 'remove':
      return `rm -rf ${path}`
    case 'directory':
      return `mkdir -p ${path}`
    case 'chmod':
      return `chmod ${operation.mode.toString(8)} ${path}`
    case 'link':
      return `ln -s -- ${quoted(operation.target)} ${path}`
    case 'touch':
      return `touch ${path}`
    case 'ahead':
      return `cat ${path} > /dev/null`
  }
}

/** Everything below `root` inside the sandbox, by other ways than the mirror's: one entry at a time. */
export async function readSandbox(shell: NativeShell, root: string): Promise<Tree> {
  const tree: Tree = new Map()
  const { stdout } = await shell.run(`find ${root} -print0`)
  for (const path of stdout.split('\0').slice(1, -1)) {
    const at = quoted(path)
    const rel = path.slice(root.length + 1)
    const tests = await shell.run(`[ -L ${at} ] && echo link; [ -d ${at} ] && echo directory; :`)
    if (tests.stdout.startsWith('link')) {
      tree.set(rel, { kind: 'link', target: (await shell.run(`readlink ${at}`)).stdout.slice(0, -1) })
      continue
    }
    const mode = await modeOf(shell, path)
    if (tests.stdout.startsWith('directory')) tree.set(rel, { kind: 'directory', mode })
    else {
      tree.set(rel, { kind: 'file', mode, text: Buffer.from(await shell.readFile(path)).toString() })
    }
  }
  return tree
}

/** Taken from the one line of a listing that has the whole name. */
async function modeOf(shell: NativeShell, path: string): Promise<number> {
  const slash = path.lastIndexOf('/')
  const { stdout } = await shell.run(`ls -la ${quoted(path.slice(0, slash))}`)
  const name = path.slice(slash + 1).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const columns = '(?:^|\n)[-d]([-rwx]{9}) +\\d+ [A-Z][a-z]{2} [ \\d]\\d [ \\d:]{5} '
  const match = new RegExp(`${columns}${name}\n(?:[-ld][-rwx]{9} |$)`).exec(stdout)
  if (match?.[1] === undefined) throw new Error(`no mode of ${path} in:\n${stdout}`)
  return Number.parseInt(match[1].replaceAll(/[rwx]/g, '1').replaceAll('-', '0'), 2)
}
