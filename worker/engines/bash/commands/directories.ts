import { posix } from 'node:path'
import { DIRECTORIES } from '../transform/directory-patterns.ts'
import { assignArray, single, singleQuoted } from '../transform/nodes.ts'
import { done, type OwnCommand } from './command.ts'

/** `__directories array pattern words…`: what a pattern with a slash at its end gives, from what it gives without. */
export const directories: OwnCommand = {
  name: DIRECTORIES,
  async run([array = '', pattern = '', ...words], context, { current, programs }) {
    const found: string[] = []
    for (const name of words) {
      const stat = await context.fs.stat(context.fs.resolvePath(context.cwd, name)).catch(() => undefined)
      // A pattern that matches nothing stands for itself.
      if (stat === undefined || stat.isDirectory) found.push(`${name}/`)
    }
    const [first] = words
    if (found.length === 0 && first !== undefined && current?.state.shoptOptions['nullglob'] !== true)
      found.push(`${first.includes('/') ? `${posix.dirname(first)}/` : ''}${pattern}/`)
    const elements = found.map(singleQuoted)
    programs.evaluated.current = [single(assignArray(array, elements))]
    return done()
  },
}
