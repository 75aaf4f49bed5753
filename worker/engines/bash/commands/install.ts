import { posix } from 'node:path'
import { changedMode } from '../text/mode.ts'
import { withoutSlashes } from '../text/slashes.ts'
import { done, failed, type OwnCommand, reason } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  directory: { type: 'boolean', short: 'd' },
  parents: { type: 'boolean', short: 'D' },
  mode: { type: 'string', short: 'm' },
  owner: { type: 'string', short: 'o' },
  group: { type: 'string', short: 'g' },
  'target-directory': { type: 'string', short: 't' },
  'no-target-directory': { type: 'boolean', short: 'T' },
  verbose: { type: 'boolean', short: 'v' },
  compare: { type: 'boolean', short: 'C' },
  'preserve-timestamps': { type: 'boolean', short: 'p' },
  c: { type: 'boolean', short: 'c' },
} as const

/** `install [-D] [-m mode] source… target`, `install -d [-m mode] directory…` */
export const install: OwnCommand = {
  name: 'install',
  async run(args, { fs, cwd }) {
    const read = readOptions('install', args, OPTIONS)
    if (!isGiven(read)) return read
    const { flags, values, operands } = read
    const text = values.get('mode') ?? '755'
    const mode = changedMode(text, { mode: 0, isDirectory: flags.has('directory'), umask: 0 })
    if (mode === undefined) return failed('install', `invalid mode '${text}'`)
    const full = (path: string) => fs.resolvePath(cwd, path)
    const paths = [...operands]
    let stdout = ''
    try {
      if (flags.has('directory')) {
        if (paths.length === 0) return failed('install', 'missing file operand')
        for (const path of paths) {
          if (flags.has('verbose') && !(await fs.exists(full(path))))
            stdout += `install: creating directory '${path}'\n`
          await fs.mkdir(full(path), { recursive: true })
          await fs.chmod(full(path), mode)
        }
        return done(stdout)
      }
      const folder = values.get('target-directory')
      const target = folder ?? paths.pop()
      if (target === undefined) return failed('install', 'missing file operand')
      if (paths.length === 0) return failed('install', `missing destination file operand after '${target}'`)
      const parent = full(folder ?? posix.dirname(target))
      if (flags.has('parents') && !(await fs.exists(parent))) {
        await fs.mkdir(parent, { recursive: true })
        await fs.chmod(parent, 0o755)
      }
      const stat = await fs.stat(full(target)).catch(() => undefined)
      const isInto = stat?.isDirectory === true && !flags.has('no-target-directory')
      if (!isInto && (folder !== undefined || paths.length > 1))
        return failed('install', `target '${target}' is not a directory`)
      for (const path of paths) {
        const to = isInto ? `${withoutSlashes(target)}/${posix.basename(path)}` : target
        const from = await fs.stat(full(path)).catch((error: unknown) => {
          throw new Error(`cannot stat '${path}': ${reason(error)}`)
        })
        if (from.isDirectory) return failed('install', `omitting directory '${path}'`)
        await fs.writeFile(full(to), await fs.readFileBuffer(full(path)))
        await fs.chmod(full(to), mode)
        if (flags.has('preserve-timestamps')) await fs.utimes(full(to), from.mtime, from.mtime)
        if (flags.has('verbose')) stdout += `'${path}' -> '${to}'\n`
      }
      return done(stdout)
    } catch (error) {
      return { ...failed('install', reason(error)), stdout }
    }
  },
}
