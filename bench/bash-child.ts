// One measurement of the bash engine, in a process of its own: prints an object of figures.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Bash } from 'just-bash'
import { type BashConfig, BashSandbox } from '../src/bash/index.ts'
import { directoryStore, type Isolation, ShellHost, type ShellHostOptions } from '../src/index.ts'
import { readTree } from './contenders/local.ts'
import { ProjectTree } from './project-tree.ts'
import { residentMemory } from './resident.ts'
import { runSession } from './scenarios/session.ts'
import { median, quantile } from './statistics.ts'
import { delayWhile, timed } from './timed.ts'

const [name = '', countText = ''] = process.argv.slice(2)
const count = Number(countText)

const executionLimits = { maxLoopIterations: 1e9, maxCommandCount: 1e9, maxWorkUnits: 1e12 }
function makeHost(isolation: Isolation, more: ShellHostOptions = {}): ShellHost {
  return new ShellHost({ isolation, maxSandboxes: 1000, maxQueued: 1000, ...more })
}

const open = (host: ShellHost, config: BashConfig = {}) => BashSandbox.open(config, { host })

/** Medians of `count` calls of each, in rounds that take turns, and the median of the ratios. */
async function against(
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
): Promise<{ readonly ours: number; readonly theirs: number; readonly ratio: number }> {
  const times = async (work: () => Promise<unknown>) => {
    const all: number[] = []
    for (let made = 0; made < count; made++) all.push(await timed(work))
    return median(all)
  }
  for (const warmUp of [ours, theirs]) await times(warmUp)
  const pairs: (readonly [number, number])[] = []
  for (let round = 0; round < 7; round++) pairs.push([await times(ours), await times(theirs)])
  return {
    ours: median(pairs.map(([one]) => one)),
    theirs: median(pairs.map(([, other]) => other)),
    ratio: median(pairs.map(([one, other]) => one / other)),
  }
}

const setup = `${Array.from({ length: 20 }, (_, i) => `f${i}() { echo "$1"; }; a${i}=(one two three)`).join('; ')}; declare -A m=([k]=v)`

/** `execute('true')` in a bare session, in one with functions and arrays, and a command that uses them. */
async function call(): Promise<Record<string, number>> {
  await using host = makeHost('worker')
  const [bare, full] = [await open(host), await open(host)]
  await full.execute(setup)
  const [asUsers, bash] = [new Bash(), new Bash({ defenseInDepth: false })]
  const ours = (sandbox: BashSandbox, command: string) => () => sandbox.execute(command)
  const theirs = (shell: Bash, command: string) => () => shell.exec(command)
  const one = await against(ours(bare, 'true'), theirs(asUsers, 'true'))
  const other = await against(ours(full, 'true'), theirs(asUsers, 'true'))
  const lean = await against(ours(bare, 'true'), theirs(bash, 'true'))
  const used = await against(
    ours(full, 'f3 "$a3"'),
    theirs(asUsers, 'f() { echo "$1"; }; a=(one two); f "$a"'),
  )
  return {
    ours: one.ours,
    theirs: one.theirs,
    bare: one.ratio,
    full: other.ratio,
    undefended: lean.ratio,
    used: used.ratio,
    usedOurs: used.ours,
  }
}

/** A coding agent's session over a project of a thousand files. */
async function agent(): Promise<Record<string, number>> {
  using tree = new ProjectTree()
  const files = readTree(tree.root, '/work')
  await using host = makeHost('worker')
  const sandbox = await open(host, { files: { '/work': { directory: tree.root } } })
  const bash = new Bash({ executionLimits, files })
  const root = '/work'
  const close = async () => undefined
  const shell = {
    root,
    execute: (command: string) => sandbox.execute(command),
    readFile: (path: string) => sandbox.readFile(path),
    writeFile: (path: string, content: Uint8Array) => sandbox.writeFile(path, content),
    close,
  }
  const other = {
    root,
    execute: (command: string) => bash.exec(command),
    readFile: (path: string) => bash.fs.readFileBuffer(path),
    writeFile: (path: string, content: Uint8Array) => bash.fs.writeFile(path, content),
    close,
  }
  let pass = 0
  const { ours, theirs, ratio } = await against(
    () => runSession(shell, pass++),
    () => runSession(other, pass++),
  )
  return { ours, theirs, ratio }
}

/** Event-loop delay of the caller while sandboxes compute, p99, by level. */
async function load(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  const compute = 'i=0; while [ $i -lt 4000 ]; do i=$((i + 1)); done'
  for (const isolation of ['shared', 'worker', 'process'] as const) {
    await using host = makeHost(isolation, { sandboxesPerCell: count })
    const sandboxes = await Promise.all(Array.from({ length: count }, () => open(host, { timeout: 300 })))
    await sleep(200)
    const { p99 } = await delayWhile(() => Promise.all(sandboxes.map((one) => one.execute(compute))))
    figures[isolation] = p99
  }
  return figures
}

/** Memory of the first sandbox of a worker, of a further worker, and of each shared sandbox. */
async function memory(): Promise<Record<string, number>> {
  const settled = async () => {
    await sleep(700)
    return residentMemory()
  }
  const use = async (host: ShellHost) => (await open(host)).execute('echo a | grep a')
  await using strands = new ShellHost({ isolation: 'worker' })
  await (await strands.open()).execute('true')
  await strands.close()
  const before = await settled()
  await using shared = makeHost('shared')
  await use(shared)
  const first = await settled()
  for (let made = 0; made < count; made++) await use(shared)
  const all = await settled()
  await using workers = makeHost('worker')
  await Promise.all(Array.from({ length: 6 }, () => use(workers)))
  const six = await settled()
  return { first: first - before, each: (all - first) / count, worker: (six - all) / 6 }
}

/** Opening on a worker that is there. */
async function warm(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  for (const isolation of ['worker', 'shared'] as const) {
    await using host = makeHost(isolation, { warm: 2 })
    await (await open(host)).close()
    const times: number[] = []
    for (let made = 0; made < count; made++) {
      while (host.stats().idle === 0 || host.stats().leased > 0) await sleep(5)
      const start = performance.now()
      const sandbox = await open(host)
      times.push(performance.now() - start)
      await sandbox.close()
    }
    figures[isolation] = median(times)
  }
  return figures
}

/** A fork of a session of 1,000 files, by level, and a session of 20 files out of a store and into it. */
async function snapshots(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  const times = async (work: () => Promise<() => Promise<void>>) => {
    const all: number[] = []
    for (let made = 0; made < count; made++) {
      const start = performance.now()
      const close = await work()
      all.push(performance.now() - start)
      await close()
    }
    return median(all)
  }
  const make = (files: number) => `mkdir -p /data; for i in {1..${files}}; do echo "file $i" > /data/$i; done`
  for (const isolation of ['shared', 'worker', 'process'] as const) {
    await using host = makeHost(isolation)
    const sandbox = await open(host)
    await sandbox.execute(make(1000))
    const fork = async () => {
      const forked = await sandbox.fork()
      return () => forked.close()
    }
    for (let made = 0; made < 5; made++) await (await fork())()
    figures[`fork ${isolation}`] = await times(fork)
  }
  const path = await mkdtemp(join(tmpdir(), 'bench-snapshots-'))
  try {
    await using host = makeHost('shared')
    const store = directoryStore(path)
    const sandbox = await open(host)
    await sandbox.execute(make(20))
    let number = 0
    figures['sleep'] = await times(async () => {
      await sandbox.execute(`echo ${++number} > /data/1`)
      await store.put('one', await sandbox.snapshot())
      return async () => undefined
    })
    figures['wake'] = await times(async () => {
      const woken = await BashSandbox.open({}, { host, snapshot: await store.get('one') })
      return () => woken.close()
    })
  } finally {
    await rm(path, { recursive: true })
  }
  return figures
}

/** Workers while sandboxes are used and dropped. */
async function dropped(): Promise<Record<string, number>> {
  await using host = makeHost('worker')
  let most = 0
  for (let made = 0; made < count; made += 5) {
    await Promise.all(Array.from({ length: 5 }, async () => (await open(host)).execute('echo a')))
    await sleep(0)
    most = Math.max(most, host.stats().workers)
  }
  return { most }
}

/** Long loops, and one without end. Seconds. */
async function loops(): Promise<Record<string, number>> {
  await using host = makeHost('worker')
  const sandbox = await open(host, { timeout: 300 })
  const shell = await timed(() =>
    expectOutput(sandbox, 'for ((i = 0; i < 100000; i++)); do :; done; echo $i', '100000'),
  )
  const awk = await timed(() =>
    expectOutput(sandbox, "awk 'BEGIN { for (i = 0; i < 1000000; i++) s += i; print s }'", '499999500000'),
  )
  const short = await open(host, { timeout: 1 })
  const endless = await timed(async () => {
    const { exitCode } = await short.execute("awk 'BEGIN { while (1) i++ }'")
    if (exitCode !== 124) throw new Error(`The endless loop ended with ${exitCode}.`)
  })
  return { shell: shell / 1000, awk: awk / 1000, late: endless - 1000 }
}

async function expectOutput(sandbox: BashSandbox, command: string, expected: string): Promise<void> {
  const { exitCode, stdout, stderr } = await sandbox.execute(command)
  if (exitCode !== 0 || stdout.trim() !== expected)
    throw new Error(`${command}: ${exitCode} ${stdout} ${stderr}`)
}

/** CPython's first answer, the next one, and what it holds afterwards. */
async function python(): Promise<Record<string, number>> {
  await using host = makeHost('worker')
  const sandbox = await open(host, { python: true })
  await sandbox.execute('echo a')
  const before = residentMemory()
  const answer = () => expectOutput(sandbox, "python3 -c 'print(6 * 7)'", '42')
  const first = await timed(answer)
  const next = await timed(answer)
  return { first: first / 1000, next: next / 1000, memory: residentMemory() - before }
}

/** How long a neighbour's `true` takes while a sandbox computes for a second, and while it does not. */
async function neighbour(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  for (const isolation of ['shared', 'worker', 'process'] as const) {
    await using host = makeHost(isolation)
    const [busy, other] = [await open(host, { timeout: 1 }), await open(host)]
    await other.execute('true')
    const idle: number[] = []
    for (let made = 0; made < 50; made++) idle.push(await timed(() => other.execute('true')))
    const beside: number[] = []
    for (let round = 0; round < count; round++) {
      const running = busy.execute('while :; do :; done')
      while (beside.length < (round + 1) * 3) beside.push(await timed(() => other.execute('true')))
      await running
    }
    figures[`${isolation} idle`] = median(idle)
    figures[`${isolation} beside`] = quantile(beside, 0.99)
  }
  return figures
}

const measurements: Readonly<Record<string, () => Promise<Record<string, number>>>> = {
  call,
  agent,
  load,
  memory,
  warm,
  snapshots,
  dropped,
  loops,
  python,
  neighbour,
}

console.log(JSON.stringify(await measurements[name]?.()))
process.exit()
