import { bytes, failed, type OwnCommand, reason } from './command.ts'
import { isGiven, readOptions } from './options.ts'

const OPTIONS = {
  append: { type: 'boolean', short: 'a' },
  'ignore-interrupts': { type: 'boolean', short: 'i' },
  'output-error': { type: 'boolean' },
  p: { type: 'boolean', short: 'p' },
} as const

/** The paths of what a command prints, which no file system has. */
const STDOUT = /^\/dev\/(?:stdout|fd\/1)$/
const STDERR = /^\/dev\/(?:stderr|fd\/2)$/

/** `tee [-ai] path…` */
export const tee: OwnCommand = {
  name: 'tee',
  async run(args, { fs, cwd, stdin }) {
    const read = readOptions(
      'tee',
      args.map((arg) => arg.replace(/^(--output-error)=.*/, '$1')),
      OPTIONS,
    )
    if (!isGiven(read)) return read
    const input = String(stdin)
    const content = Buffer.from(input, 'latin1')
    let [stdout, stderr, exitCode] = [input, '', 0]
    for (const path of read.operands) {
      if (STDOUT.test(path)) stdout += input
      else if (STDERR.test(path)) stderr += content.toString()
      else
        try {
          const full = fs.resolvePath(cwd, path)
          const write = read.flags.has('append') ? fs.appendFile : fs.writeFile
          await write.call(fs, full, new Uint8Array(content))
        } catch (error) {
          stderr += failed('tee', `${path}: ${reason(error)}`).stderr
          exitCode = 1
        }
    }
    return { ...bytes(stdout, exitCode), stderr }
  },
}
