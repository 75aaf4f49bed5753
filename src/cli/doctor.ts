import { fileURLToPath } from 'node:url'
import { platformFacts } from '../engines/strands/platform.ts'
import { resolveEngine } from '../engines/strands/resolve-engine.ts'
import { findWorkerEntry } from '../places/built-entry.ts'
import { ShellHost } from '../shell-host/shell-host.ts'
import { type Check, checks } from './doctor/checks.ts'
import { limitFindings } from './doctor/limits.ts'
import { engineFindings, machineFindings } from './doctor/machine.ts'
import { type Finding, jsonReport, type Report, textReport } from './doctor/report.ts'
import { EXIT } from './exit-codes.ts'
import type { Outputs } from './output.ts'

/** Examines this machine and reports as it goes; gives the exit code. */
export async function doctor(version: string, { stdout }: Outputs, json: boolean): Promise<number> {
  const colours = process.stdout.isTTY === true && process.stdout.hasColors()
  const report = json ? jsonReport(version, stdout) : textReport(version, stdout, colours)

  await report.section('Machine')
  await report.add([...machineFindings(await platformFacts()), ...limitFindings()])

  await report.section('Parts')
  const parts = [await examine('engine', findEngine), await examine('worker entry', findEntry)]
  for (const { findings } of parts) await report.add(findings)
  if (parts.some(({ failed }) => failed)) {
    await report.end(false, 'Not healthy: no sandbox can be opened. The self-test was left out.')
    return EXIT.failed
  }

  await report.section('Self-test')
  const failures = await selfTest(report)
  const healthy = failures === 0
  await report.end(
    healthy,
    healthy
      ? 'Healthy: sandboxes work on this machine.'
      : `Not healthy: ${failures} of ${checks.length + 1} checks failed.`,
  )
  return healthy ? 0 : EXIT.failed
}

interface Part {
  readonly findings: readonly Finding[]
  readonly failed: boolean
}

async function examine(label: string, find: () => Promise<readonly Finding[]>): Promise<Part> {
  try {
    return { findings: await find(), failed: false }
  } catch (error) {
    return { findings: [{ label, state: 'failed', text: `\n${messageOf(error)}` }], failed: true }
  }
}

async function findEngine(): Promise<readonly Finding[]> {
  return engineFindings(await resolveEngine())
}

async function findEntry(): Promise<readonly Finding[]> {
  try {
    return [{ label: 'worker entry', text: fileURLToPath(await findWorkerEntry(undefined)) }]
  } catch (cause) {
    const remedy = 'Install the package again, or, in its repository, run: npm run build:worker'
    throw new Error(`${messageOf(cause)}\n${remedy}`, { cause })
  }
}

async function selfTest(report: Report): Promise<number> {
  const host = new ShellHost({ isolation: 'worker' })
  let failures = 0
  for (const check of [...checks, leavesNoWorker]) {
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
    return { label, state: 'failed', time: performance.now() - start, text: `\n${messageOf(error)}` }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
