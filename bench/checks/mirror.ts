import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StrandsShellSandbox } from '../../src/index.ts'
import type { Check, Figure } from '../figure.ts'
import { median } from '../statistics.ts'

const filesInDirectory = 20

/** A command that only reads, and one of which that cannot be told. */
const reader = 'cat /dev/null'
const unproven = 'x=true; $x'

/** Milliseconds that a mirrored bind adds to a call: idle, and with files changed by the command or by the host. */
export const mirror: Check = {
  name: 'mirror',
  does: 'Milliseconds that a mirrored bind of 0 to 5000 files adds to a call.',
  run: async (effort) => {
    const rounds = Math.ceil(25 * effort)
    await using bare = await StrandsShellSandbox.open()
    const figures: Figure[] = []
    for (const files of [0, 50, 1000, 5000]) {
      using tree = new HostTree(files)
      await using sandbox = await StrandsShellSandbox.open({
        binds: [{ source: tree.root, destination: '/work' }],
        limits: { maxInodes: 20_000, mirrorMaxFiles: 10_000 },
      })
      const add = async (name: string, work: Work, target: Figure['target']) => {
        const ours = await callTime(sandbox, work, rounds)
        const baseline = await callTime(bare, { command: () => reader }, rounds)
        figures.push({
          name: `mirror of ${files} files: ${name}`,
          ours: ours - baseline,
          unit: 'ms',
          judged: ours - baseline,
          target,
        })
      }
      figures.push(
        shown(`bare lstat of ${files} files`, median(Array.from({ length: rounds }, () => tree.lookTime()))),
      )
      await add('a command that reads', { command: () => reader }, mostOf(files))
      for (const changed of [1, 50, 500].filter((count) => count <= files)) {
        await add(
          `${changed} changed by the command`,
          { command: (round) => tree.rewriteInside(changed, round) },
          'shown',
        )
        await add(
          `${changed} changed by a command that does not name them`,
          { command: (round) => tree.rewriteInside(changed, round, '$d') },
          'shown',
        )
        await add(
          `${changed} changed by the host`,
          { before: (round) => tree.rewrite(changed, round), command: () => reader },
          'shown',
        )
      }
      // Last: from then on the session cannot tell which paths a command changes.
      await add('one that may write, and does not', { command: () => unproven }, 'shown')
    }
    return figures
  },
}

interface Work {
  readonly before?: (round: number) => void
  readonly command: (round: number) => string
}

function shown(name: string, ours: number): Figure {
  return { name, ours, unit: 'ms', judged: ours, target: 'shown' }
}

function mostOf(files: number): Figure['target'] {
  if (files <= 50) return { most: 1 }
  return files <= 1000 ? { most: 3 } : 'shown'
}

async function callTime(
  sandbox: StrandsShellSandbox,
  { before, command }: Work,
  rounds: number,
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    before?.(round)
    const start = performance.now()
    const { exitCode } = await sandbox.execute(command(round))
    if (exitCode !== 0) throw new Error(`A measured command ended with ${exitCode}.`)
    if (round >= 2) times.push(performance.now() - start)
  }
  return median(times)
}

class HostTree implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'mirror-bench-'))
  readonly #paths: readonly string[]

  constructor(files: number) {
    this.#paths = Array.from(
      { length: files },
      (_, index) => `directory${Math.floor(index / filesInDirectory)}/file${index}.txt`,
    )
    for (const [index, path] of this.#paths.entries()) {
      if (index % filesInDirectory === 0) mkdirSync(join(this.root, path, '..'))
      writeFileSync(join(this.root, path), 'x'.repeat(500))
    }
  }

  /** Milliseconds that a look at each file takes at the least. */
  lookTime(): number {
    const start = performance.now()
    for (const path of this.#paths) lstatSync(`${this.root}/${path}`, { bigint: true })
    return performance.now() - start
  }

  rewrite(count: number, round: number): void {
    for (const path of this.#paths.slice(0, count)) writeFileSync(join(this.root, path), `host ${round}`)
  }

  /**
   * A command that rewrites as many files, all of one size, so that times alone tell.
   *
   * @param root - how it writes `/work`: `$d` hides which files these are.
   */
  rewriteInside(count: number, round: number, root = '/work'): string {
    const lines = this.#paths.slice(0, count).map((path) => `echo "call ${round % 10}" > ${root}/${path}`)
    return ['d=/work', ...lines].join('\n')
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true })
  }
}
