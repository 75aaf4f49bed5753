import { JailSandbox } from '../../jail/jail-sandbox.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import { type Check, expectThat, patience, quote } from './checks.ts'

/** The self-test of jails. */
export const jailChecks: readonly Check[] = [
  { label: 'a jail opens', run: opens },
  { label: 'a jail runs a command', run: runsCommand },
]

async function opens(host: ShellHost): Promise<number> {
  const start = performance.now()
  await using sandbox = await JailSandbox.open({}, { host })
  expectThat(sandbox.status === 'open', `it is ${sandbox.status}`)
  return performance.now() - start
}

async function runsCommand(host: ShellHost): Promise<undefined> {
  await using sandbox = await JailSandbox.open({}, { host })
  const { exitCode, stdout, stderr } = await sandbox.execute('echo $((6 * 7))', { timeout: patience })
  expectThat(
    exitCode === 0 && stdout === '42\n',
    `got exit code ${exitCode}, output ${quote(stdout + stderr)}`,
  )
  return undefined
}
