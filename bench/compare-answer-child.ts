// A new process of a build: opens a sandbox, prints the output of its first command, and exits.
import type { Api } from './compare/comparison.ts'

const [url = ''] = process.argv.slice(2)
const { ShellHost }: Api = await import(url)
const host = new ShellHost({ isolation: 'worker' })
const sandbox = await host.open()
const { stdout } = await sandbox.execute('echo a')
process.stdout.write(stdout, () => process.exit())
