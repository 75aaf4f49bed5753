// One measurement of the jail scenario, in a process of its own: prints an object of figures.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hardening } from '../src/contract/isolation.ts'
import { ShellHost, type StrandsShellSandbox } from '../src/index.ts'
import { descendants } from './resident.ts'
import { median } from './statistics.ts'
import { timed } from './timed.ts'

const [name = '', countText = ''] = process.argv.slice(2)
const count = Number(countText)
const choices: readonly Hardening[] = ['none', 'require']

/** Memory of the children of this process, pages that processes share counted in shares, in MiB. */
function memory(): number {
  const [, ...children] = descendants()
  const shares = children.map(
    (pid) => /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1],
  )
  return shares.reduce((total, kilobytes) => total + Number(kilobytes), 0) / 1024
}

/** Opening in a cell that is started for it beside another one, and the memory of each. */
async function open(): Promise<Record<string, number>> {
  const times: [number[], number[]] = [[], []]
  const sizes: [number[], number[]] = [[], []]
  for (const [index, hardening] of choices.entries()) {
    await using host = new ShellHost({ hardening })
    await using kept = await host.open()
    for (let made = 0; made < count; made++) {
      // Sandboxes with other addresses have another cell.
      const config = { allowedUrls: [`https://${made}.example/`] }
      let sandbox: StrandsShellSandbox | undefined
      const opening = async () => {
        sandbox = await host.open(config)
      }
      times[index]?.push(await timed(opening))
      await sleep(100)
      sizes[index]?.push(memory() / 2)
      await sandbox?.close()
      await sleep(100)
    }
    await kept.execute('true')
  }
  const [none, jail] = times.map(median)
  const [noneMemory, jailMemory] = sizes.map(median)
  return figures({ none, jail, noneMemory, jailMemory })
}

/** One call at a time, in turns. */
async function call(): Promise<Record<string, number>> {
  const hosts = choices.map((hardening) => new ShellHost({ hardening }))
  const sandboxes = await Promise.all(hosts.map((host) => host.open()))
  const times: [number[], number[]] = [[], []]
  for (let made = 0; made < count; made++) {
    for (const [index, sandbox] of sandboxes.entries()) {
      const taken = await timed(() => sandbox.execute('true'))
      if (made > 20) times[index]?.push(taken)
    }
  }
  await Promise.all(hosts.map((host) => host.close()))
  const [none, jail] = times.map(median)
  return figures({ none, jail })
}

/** Sandboxes that have a directory of the host each: opening, and the memory of each. */
async function binds(): Promise<Record<string, number>> {
  const found: Record<string, number | undefined> = {}
  const directory = mkdtempSync(join(tmpdir(), 'bench-jail-'))
  for (const hardening of choices) {
    await using host = new ShellHost({ hardening, maxSandboxes: count, sandboxesPerCell: 8 })
    const times: number[] = []
    const sandboxes: StrandsShellSandbox[] = []
    for (let made = 0; made < count; made++) {
      const source = mkdtempSync(join(directory, 'source-'))
      const opening = async () => {
        sandboxes.push(await host.open({ binds: [{ source, destination: '/work' }] }))
      }
      times.push(await timed(opening))
    }
    await Promise.all(sandboxes.map((sandbox) => sandbox.execute('true')))
    await sleep(500)
    found[hardening] = median(times)
    found[`${hardening}Memory`] = memory() / count
    found[`${hardening}Cells`] = host.stats().cells
  }
  rmSync(directory, { recursive: true })
  return figures(found)
}

function figures(found: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(Object.entries(found).map(([key, value]) => [key, value ?? Number.NaN]))
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = { open, call, binds }

console.log(JSON.stringify(await measurements[name]?.()))
process.exit()
