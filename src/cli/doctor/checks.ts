import { http } from '../../network/node-http.ts'
import { SandboxLimitError } from '../../sandbox/errors.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import type { StrandsShellConfig } from '../../strands-shell/config/types.ts'
import { StrandsShellSandbox } from '../../strands-shell/strands-shell-sandbox.ts'
import { runInChild } from './child.ts'

/** A claim that the doctor tests. */
export interface Check {
  readonly label: string
  /** Throws where the claim does not hold. Gives the milliseconds it took where it measures them itself. */
  readonly run: (host: ShellHost) => Promise<number | undefined>
}

/** Seconds a call of a check may take: far more than on a slow machine. */
export const patience = 30

/** The self-test of Strands Shell, in the order in which it is run. */
export const checks: readonly Check[] = [
  { label: 'a sandbox opens on a new worker', run: opens },
  { label: 'a sandbox opens on a used one', run: opens },
  { label: 'a command runs', run: runsCommand },
  { label: 'files come back as written', run: keepsFiles },
  { label: 'a file over its limit is refused', run: refusesLargeFile },
  { label: 'an endless command is ended', run: endsEndlessCommand },
  { label: 'endless recursion is survived', run: survivesRecursion },
  { label: 'a private address is refused', run: refusesPrivateAddress },
]

async function opens(host: ShellHost): Promise<number> {
  const start = performance.now()
  await using sandbox = await StrandsShellSandbox.open({}, { host })
  const { workers } = host.stats()
  expectThat(sandbox.status === 'open' && workers === 1, `there are ${workers} workers for one sandbox`)
  return performance.now() - start
}

async function within(
  host: ShellHost,
  config: StrandsShellConfig,
  work: (sandbox: StrandsShellSandbox) => Promise<undefined>,
): Promise<undefined> {
  await using sandbox = await StrandsShellSandbox.open(config, { host })
  return await work(sandbox)
}

function runsCommand(host: ShellHost) {
  return within(host, {}, async (sandbox) => {
    const { exitCode, stdout, stderr } = await sandbox.execute('echo ready | tr a-z A-Z', {
      timeout: patience,
    })
    expectThat(
      exitCode === 0 && stdout === 'READY\n',
      `got exit code ${exitCode}, output ${quote(stdout + stderr)}`,
    )
    return undefined
  })
}

function keepsFiles(host: ShellHost) {
  return within(host, {}, async (sandbox) => {
    const written = Uint8Array.from({ length: 256 }, (_, index) => index)
    await sandbox.writeFile('/tmp/doctor/bytes', written)
    const read = await sandbox.readFile('/tmp/doctor/bytes')
    expectThat(
      Buffer.from(written).equals(read),
      `wrote ${written.length} bytes and read ${read.length} others`,
    )
    return undefined
  })
}

function refusesLargeFile(host: ShellHost) {
  return within(host, { limits: { maxFileSize: 1024 } }, async (sandbox) => {
    const refusal = await sandbox
      .writeFile('/tmp/large', new Uint8Array(2048))
      .catch((error: unknown) => error)
    expectThat(refusal instanceof SandboxLimitError, `a write past maxFileSize ended with ${String(refusal)}`)
    return undefined
  })
}

function endsEndlessCommand(host: ShellHost) {
  return within(host, { timeout: 0.3 }, async (sandbox) => {
    const { exitCode } = await sandbox.execute('while :; do :; done', { timeout: patience })
    expectThat(exitCode === 124, `got exit code ${exitCode}, expected 124`)
    return undefined
  })
}

/** In a process of its own: where the native stacks are too small, it is that process which ends. */
async function survivesRecursion() {
  const end = await runInChild(['run', '--', 'f(){ f; }; f; echo alive'], patience)
  expectThat(
    end.stdout === 'alive\n',
    `a child process that tried ended with ${end.how}. Start the process with RUST_MIN_STACK=1073741824, and with no small ulimit -v`,
  )
  return undefined
}

async function refusesPrivateAddress(host: ShellHost) {
  let requests = 0
  const server = http.createServer((_request, response) => {
    requests += 1
    response.end('reached\n')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  try {
    return await within(host, {}, async (sandbox) => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const { exitCode, stdout } = await sandbox.execute(`curl -s http://127.0.0.1:${port}/`, {
        timeout: patience,
      })
      expectThat(exitCode !== 0 && requests === 0, `a server on 127.0.0.1 was reached (${quote(stdout)})`)
      return undefined
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** @throws Error with the problem where a claim does not hold */
export function expectThat(holds: boolean, problem: string): void {
  if (!holds) throw new Error(`${problem}.`)
}

/** Output in a message, at most 200 characters of it. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
