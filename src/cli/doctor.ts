import { fileURLToPath } from 'node:url'
import type { EngineName } from '../contract/lease.ts'
import { resolveJustBash } from '../engines/bash/find-just-bash.ts'
import { findJail } from '../engines/jail/jail-engine.ts'
import { platformFacts } from '../engines/strands/platform.ts'
import { resolveEngine } from '../engines/strands/resolve-engine.ts'
import { findWorkerEntry } from '../places/built-entry.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import { packageVersion } from '../sandbox/package-version.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import { bashChecks } from './doctor/bash-checks.ts'
import { type Check, checks } from './doctor/checks.ts'
import { jailChecks } from './doctor/jail-checks.ts'
import { limitFindings } from './doctor/limits.ts'
import { engineFindings, machineFindings } from './doctor/machine.ts'
import { type Finding, jsonReport, type Report, textReport } from './doctor/report.ts'
import { EXIT } from './exit-codes.ts'
import type { Outputs } from './output.ts'

/** What the doctor is asked. */
export interface DoctorOptions {
  readonly json: boolean
  /** The only one that matters; undefined for all. */
  readonly shell: EngineName | undefined
}

/** Examines this machine and reports as it goes; gives the exit code. */
export async function doctor({ stdout }: Outputs, { json, shell }: DoctorOptions): Promise<number> {
  const version = packageVersion()
  const colours = process.stdout.isTTY === true && process.stdout.hasColors()
  const report = json ? jsonReport(version, stdout) : textReport(version, stdout, colours)

  await report.section('Machine')
  await report.add([...machineFindings(await platformFacts()), ...limitFindings()])

  await report.section('Parts')
  const entry = await examine('worker entry', findEntry)
  const asked = (name: EngineName) => shell === undefined || shell === name
  const strands = asked('strands') ? await examine('engine', findEngine) : undefined
  const bash = asked('bash') ? await examine('bash engine', findBash) : undefined
  const jail = await examine('jails', findJails)
  // Nobody has asked for bash by name: its package is an optional one.
  const optional = bash?.failed === true && shell === undefined
  const noJails = jail.failed && shell !== 'jail'
  const parts = [
    strands,
    optional ? withoutState(bash) : bash,
    noJails ? withoutState(jail) : jail,
    entry,
  ].filter((part) => part !== undefined)
  for (const { findings } of parts) await report.add(findings)
  if (parts.some(({ failed }) => failed)) {
    await report.end(false, `Not healthy: ${verdict(strands, bash, entry)} The self-test was left out.`)
    return EXIT.failed
  }

  await report.section('Self-test')
  const found = [
    ...(strands ? [checks] : []),
    ...(bash?.failed === false ? [bashChecks] : []),
    ...(asked('jail') && !jail.failed ? [jailChecks] : []),
  ].flat()
  const failures = await selfTest(report, found)
  const healthy = failures === 0
  const missing = optional ? ' Those of bash need a package that is not there: see above.' : ''
  await report.end(
    healthy,
    healthy
      ? `Healthy: sandboxes work on this machine.${missing}`
      : `Not healthy: ${failures} of ${found.length + 1} checks failed.`,
  )
  return healthy ? 0 : EXIT.failed
}

/** What can be opened where a part has failed. */
function verdict(strands: Part | undefined, bash: Part | undefined, entry: Part): string {
  const isBashLeft = strands?.failed === true && bash?.failed === false && !entry.failed
  if (!isBashLeft) return 'no sandbox can be opened.'
  return 'no Strands Shell can be opened; bash can, as doctor --shell bash tests.'
}

function withoutState({ findings }: Part): Part {
  return {
    findings: findings.map(({ label, text }) => ({ label, text: `not there: ${text.trim()}` })),
    failed: false,
  }
}

interface Part {
  readonly findings: readonly Finding[]
  readonly failed: boolean
}

async function examine(label: string, find: () => Promise<readonly Finding[]>): Promise<Part> {
  try {
    return { findings: await find(), failed: false }
  } catch (error) {
    return { findings: [{ label, state: 'failed', text: `\n${errorMessage(error)}` }], failed: true }
  }
}

/** Cells work without jails. */
async function findEngine(): Promise<readonly Finding[]> {
  return engineFindings(await resolveEngine())
}

async function findBash(): Promise<readonly Finding[]> {
  return [{ label: 'bash engine', text: fileURLToPath(await resolveJustBash()) }]
}

async function findJails(): Promise<readonly Finding[]> {
  return [{ label: 'jails', text: `made by ${(await findJail()).path}` }]
}

async function findEntry(): Promise<readonly Finding[]> {
  try {
    return [{ label: 'worker entry', text: fileURLToPath(await findWorkerEntry(undefined)) }]
  } catch (cause) {
    const remedy = 'Install the package again, or, in its repository, run: npm run build:worker'
    throw new Error(`${errorMessage(cause)}\n${remedy}`, { cause })
  }
}

async function selfTest(report: Report, found: readonly Check[]): Promise<number> {
  const host = new ShellHost({ isolation: 'worker' })
  let failures = 0
  for (const check of [...found, leavesNoWorker]) {
    const finding = await examineClaim(check, host)
    if (finding.state === 'failed') failures += 1
    await report.add([finding])
  }
  return failures
}

const leavesNoWorker: Check = {
  label: 'closing the host ends its workers',
  run: async (host) => {
    await host.close()
    const { workers } = host.stats()
    if (workers > 0) throw new Error(`${workers} are left.`)
    return undefined
  },
}

async function examineClaim({ label, run }: Check, host: ShellHost): Promise<Finding> {
  const start = performance.now()
  try {
    const measured = await run(host)
    return { label, state: 'ok', time: measured ?? performance.now() - start, text: '' }
  } catch (error) {
    return { label, state: 'failed', time: performance.now() - start, text: `\n${errorMessage(error)}` }
  }
}
