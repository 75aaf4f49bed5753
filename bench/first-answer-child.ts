// A new process of a contender: opens a shell, prints the answer to its first command, and ends.
import { isContender } from './contenders/contender.ts'
import { loadContender } from './contenders/load.ts'

const [name = ''] = process.argv.slice(2)
if (!isContender(name)) throw new Error(`No contender is called ${name}.`)
const source = await (await loadContender(name)).start()
const shell = await source.open()
const { stdout } = await shell.execute('echo a')
process.stdout.write(stdout, () => process.exit())
