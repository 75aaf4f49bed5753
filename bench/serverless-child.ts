// A serverless function of a contender: each line of standard input is a request, for which it opens a shell, answers with
// the output of one command and closes the shell. What opens shells is made once a process.
import { createInterface } from 'node:readline'
import { isContender } from './contenders/contender.ts'
import { loadContender } from './contenders/load.ts'

const [name = ''] = process.argv.slice(2)
if (!isContender(name)) throw new Error(`No contender is called ${name}.`)
const source = await (await loadContender(name)).start()
for await (const _request of createInterface({ input: process.stdin })) {
  const shell = await source.open()
  const { stdout } = await shell.execute('echo a')
  process.stdout.write(stdout)
  await shell.close()
}
process.exit()
