import { LocalSandbox } from '../../../../src/argv/index.ts'

// A script that closes nothing, with a process in the background and one under way.
const sandbox = new LocalSandbox()
const { output } = await sandbox.exec(['sh', '-c', 'sleep 57 & echo $!'])
const call = sandbox.exec(['sh', '-c', 'echo $$ > pid; exec sleep 57'])
call.catch(() => undefined)
while ((await sandbox.exec(['cat', 'pid'])).output === '')
  await new Promise((resolve) => setTimeout(resolve, 10))
const underWay = (await sandbox.exec(['cat', 'pid'])).output
// Others fill the workdir until the end.
for (const name of ['a', 'b', 'c']) {
  sandbox.exec(['sh', '-c', `while :; do mkdir -p ${name}; echo > ${name}/x; done`]).catch(() => undefined)
}
await new Promise((resolve) => setTimeout(resolve, 200))
console.log(JSON.stringify({ workdir: sandbox.workdir, pids: [Number(output), Number(underWay)] }))
process.exit(0)
