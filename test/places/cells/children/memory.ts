import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxError, SessionLoss, ShellHost, type StrandsShellSandbox } from '../../../../src/index.ts'
import { neighbour } from '../neighbours.ts'

const mebibyte = 2 ** 20

/** Limits of a sandbox that may keep terabytes of files. */
const raised = { maxFileSize: 32 * mebibyte, maxInodes: 100_000 }

/** Has `$x` hold 16 KiB. */
const setX = 'x=0123456789abcdef; for i in 1 2 3 4 5 6 7 8 9 10; do x=$x$x; done'

const run = (command: string) => (sandbox: StrandsShellSandbox) => sandbox.execute(command)

/** What a sandbox does to its cell. */
const hogs: Readonly<Record<string, (sandbox: StrandsShellSandbox) => Promise<unknown>>> = {
  'a variable that doubles': run('x=a; while :; do x=$x$x; done'),
  'a line without an end': run('head -n1 /dev/zero'),
  'a field without bounds': run('printf %100000000000s'),
  'the output of a program': (sandbox) =>
    sandbox.executeCode('while true do io.write(("x"):rep(1000000)) end', 'lua'),
  'standard error': run(`${setX}; while :; do echo $x >&2; done`),
  '172 MB of standard error': run(`${setX}; while [ $((n = n + 1)) -le 10500 ]; do echo $x >&2; done`),
  'files that commands write': run(`${setX}; while :; do n=$((n + 1)); echo $x$x$x$x > /tmp/f$n; done`),
  'files that its user writes': async (sandbox) => {
    const megabytes = new Uint8Array(8 * mebibyte)
    for (let file = 0; file < 128; file++) await sandbox.writeFile(`/tmp/f${file}`, megabytes)
  },
}

/** What is told of how a call ended. */
async function endOf(call: Promise<unknown>): Promise<unknown> {
  try {
    const value = await call
    if (typeof value !== 'object' || value === null || !('exitCode' in value && 'stderr' in value))
      return value
    return { exitCode: value.exitCode, said: String(value.stderr).slice(-200) }
  } catch (error) {
    if (!(error instanceof SandboxError && error.cause instanceof SessionLoss)) throw error
    return { name: error.name, code: error.code, cause: error.cause.code, why: error.cause.message }
  }
}

/** Bytes that this process holds at most while it waits for a call, more than it did before. */
async function growth(call: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 10)
  await call()
  look()
  clearInterval(timer)
  return most - before
}

const [what = '', maxMemory = ''] = process.argv.slice(2)
const host = new ShellHost({ maxCells: 2, sandboxesPerCell: 2, maxCellMemory: Number(maxMemory) * mebibyte })
const hog = await host.open({ limits: raised })
const elsewhere = await host.open()
const working = neighbour(elsewhere, 'elsewhere')
await sleep(300)
const before = working.replies
let end: unknown
const grown = await growth(async () => {
  const call = hogs[what]?.(hog)
  end = await endOf(Promise.resolve(call))
})
const replies = working.replies - before
await working.stop()
const again = await endOf(hog.execute('true'))
const grownMebibytes = Math.round(grown / mebibyte)
console.log(JSON.stringify({ end, again, grownMebibytes, replies, generation: elsewhere.generation }))
await host.close()
