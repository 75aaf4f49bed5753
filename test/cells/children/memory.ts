import { setTimeout as sleep } from 'node:timers/promises'
import { SandboxError, SessionLoss, ShellHost, type StrandsShellSandbox } from '../../../src/index.ts'
import { neighbour } from '../neighbours.ts'

const mebibyte = 2 ** 20

/** Limits of a sandbox that may keep a gigabyte of files, and give 64 MiB of output. */
const raised = { maxFileSize: 32 * mebibyte, maxInodes: 100_000, maxOutput: 64 * mebibyte }

const run = (command: string) => (sandbox: StrandsShellSandbox) => sandbox.execute(command)

/** What a sandbox does to its cell. */
const hogs: Readonly<Record<string, (sandbox: StrandsShellSandbox) => Promise<unknown>>> = {
  'a variable that doubles': run('x=a; while :; do x=$x$x; done'),
  'a line without an end': run('head -n1 /dev/zero'),
  'a field without bounds': run('printf %100000000000s'),
  'the output of a program': (sandbox) =>
    sandbox.executeCode('while true do io.write(("x"):rep(1000000)) end', 'lua'),
  'standard error': run(
    'x=0123456789abcdef; for i in 1 2 3 4 5 6 7 8 9 10; do x=$x$x; done; while :; do echo $x >&2; done',
  ),
  'files that commands write': run(
    'x=0123456789abcdef; for i in 1 2 3 4 5 6 7 8 9 10; do x=$x$x; done; while :; do n=$((n + 1)); echo $x$x$x$x > /tmp/f$n; done',
  ),
  'files that its user writes': async (sandbox) => {
    const megabytes = new Uint8Array(8 * mebibyte)
    for (let file = 0; file < 128; file++) await sandbox.writeFile(`/tmp/f${file}`, megabytes)
  },
}

/** How a call ended, in the words of its error. */
async function endOf(call: Promise<unknown>): Promise<unknown> {
  try {
    const value = await call
    if (typeof value !== 'object' || value === null || !('exitCode' in value && 'stderr' in value))
      return value
    const { exitCode, stderr } = value
    return { exitCode, stderr: typeof stderr === 'string' ? stderr.slice(-200) : stderr }
  } catch (error) {
    if (!(error instanceof SandboxError && error.cause instanceof SessionLoss)) throw error
    return { name: error.name, code: error.code, why: error.cause.message }
  }
}

const [name = '', maxMemory = '', timeout = ''] = process.argv.slice(2)
const host = new ShellHost({ maxCells: 2, sandboxesPerCell: 2, maxCellMemory: Number(maxMemory) * mebibyte })
const sandboxes = [await host.open(), await host.open()]
const [hog, other] = sandboxes
if (hog === undefined || other === undefined) throw new Error('no sandboxes')`the rest is below`
await hog.close()
await other.close()
await host.close()
