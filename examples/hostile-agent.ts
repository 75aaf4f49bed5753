// One agent's commands crash, hang and fill the child process that runs its sandbox. Another agent works on undisturbed.
import { setTimeout as pause } from 'node:timers/promises'
import { SandboxError, ShellHost } from 'strands-shell-runtime'

const host = new ShellHost({ maxCells: 2, maxCellMemory: 1.5 * 2 ** 30 })
host.on('lost', ({ id, reason }) => console.log(`  told: ${id} has lost its session (${reason})`))
const hostile = await host.open({ onInterrupt: 'reset', timeout: 60 }, { id: 'hostile' })
const diligent = await host.open({}, { id: 'diligent' })

let done = 0
let working = true
const work = (async () => {
  await diligent.execute('n=0')
  while (working) {
    done = Number((await diligent.execute('n=$((n + 1)); echo $n')).stdout)
    await pause(10)
  }
})()

const commands: readonly (readonly [what: string, command: string, timeout: number])[] = [
  ['asks for more memory than there is', 'echo | tail -n 100000000000', 40],
  ['never ends, and ignores its deadline', 'cat /dev/zero > /dev/null', 2],
  ['doubles a variable without end', 'x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done', 40],
]
for (const [what, command, timeout] of commands) {
  console.log(`A command that ${what}: ${command}`)
  const outcome = await hostile.execute(command, { timeout }).then(
    ({ exitCode }) => `exit code ${exitCode}`,
    (error: unknown) => (error instanceof SandboxError ? error.code : String(error)),
  )
  const next = await hostile.execute('echo a fresh session')
  console.log(`  its caller: ${outcome}; its next command: ${next.stdout.trim()}`)
}

working = false
await work
console.log(`the other agent lost nothing: ${diligent.generation === 1 && done > 0 ? 'yes' : 'no'}`)
console.log(`the main thread was late by at most ${Math.round(host.stats().eventLoopDelay.max)} ms`)
await host.drain()
