import { BashSandbox } from '../../bash/bash-sandbox.ts'
import type { BashConfig } from '../../bash/config/types.ts'
import type { ShellHost } from '../../shell-host/shell-host.ts'
import { type Check, expectThat, patience, quote } from './checks.ts'

/** The self-test of bash, in the order in which it is run. */
export const bashChecks: readonly Check[] = [
  { label: 'a bash sandbox opens', run: opens },
  { label: 'bash runs a command', run: runsCommand },
  { label: 'an endless bash command is ended', run: endsEndlessCommand },
]

async function opens(host: ShellHost): Promise<number> {
  const start = performance.now()
  await using sandbox = await BashSandbox.open({}, { host })
  expectThat(sandbox.status === 'open', `it is ${sandbox.status}`)
  return performance.now() - start
}

function runsCommand(host: ShellHost) {
  return within(host, {}, async (sandbox) => {
    const command = 'list=(a b); printf "%s\\n" "$list" | awk \'{ print $1 "!" }\''
    const { exitCode, stdout, stderr } = await sandbox.execute(command, { timeout: patience })
    expectThat(
      exitCode === 0 && stdout === 'a!\n',
      `got exit code ${exitCode}, output ${quote(stdout + stderr)}`,
    )
  })
}

function endsEndlessCommand(host: ShellHost) {
  return within(host, { timeout: 0.3 }, async (sandbox) => {
    const { exitCode } = await sandbox.execute('while :; do :; done', { timeout: patience })
    expectThat(exitCode === 124, `got exit code ${exitCode}, expected 124`)
  })
}

async function within(
  host: ShellHost,
  config: BashConfig,
  work: (sandbox: BashSandbox) => Promise<void>,
): Promise<undefined> {
  await using sandbox = await BashSandbox.open(config, { host })
  await work(sandbox)
  return undefined
}
