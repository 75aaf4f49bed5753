import { done, failed, type OwnCommand, reason } from './command.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function random(length: number): string {
  const numbers = crypto.getRandomValues(new Uint8Array(length))
  return [...numbers].map((number) => LETTERS[number % LETTERS.length]).join('')
}

/** `mktemp [-d] [-u] [-t] [-p folder] [template]` */
export const mktemp: OwnCommand = {
  name: 'mktemp',
  async run(args, context) {
    const folderName = context.env.get('TMPDIR') || '/tmp'
    let [directory, dry, folder, suffix, template] = [
      false,
      false,
      undefined as string | undefined,
      '',
      undefined as string | undefined,
    ]
    for (let at = 0; at < args.length; at += 1) {
      const arg = args[at] ?? ''
      if (arg === '-p' || arg === '--suffix') {
        at += 1
        if (arg === '-p') folder = args[at]
        else suffix = args[at] ?? ''
      } else if (arg.startsWith('--tmpdir')) folder = arg.slice(9) || folderName
      else if (arg.startsWith('--suffix=')) suffix = arg.slice(9)
      else if (arg === '--directory') directory = true
      else if (arg === '--dry-run') dry = true
      else if (/^-[dqtu]+$/.test(arg)) {
        directory ||= arg.includes('d')
        dry ||= arg.includes('u')
        if (arg.includes('t')) folder ??= folderName
      } else if (arg.startsWith('-')) return failed('mktemp', `invalid option '${arg}'`)
      else template = arg
    }
    const pattern = template ?? 'tmp.XXXXXXXXXX'
    const marks = /X{3,}(?=[^X]*$)/.exec(pattern)
    if (marks === null) return failed('mktemp', `too few X's in template '${pattern}'`)
    const name =
      pattern.slice(0, marks.index) +
      random(marks[0].length) +
      pattern.slice(marks.index + marks[0].length) +
      suffix
    const parent = folder ?? (template === undefined ? folderName : undefined)
    const path = parent === undefined ? name : `${parent.replace(/\/$/, '')}/${name}`
    const full = context.fs.resolvePath(context.cwd, path)
    try {
      if (!dry && directory) await context.fs.mkdir(full)
      else if (!dry) await context.fs.writeFile(full, '')
      if (!dry) await context.fs.chmod(full, directory ? 0o700 : 0o600)
    } catch (error) {
      return failed(
        'mktemp',
        `failed to create ${directory ? 'directory' : 'file'} via template '${path}': ${reason(error)}`,
      )
    }
    return done(`${path}\n`)
  },
}
