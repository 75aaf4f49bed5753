import type { Shell } from '../contenders/contender.ts'
import { sampleTimes } from '../measure.ts'
import { ratioFigure } from '../results.ts'
import { type Scenario, withShell } from '../scenario.ts'

const sizes = {
  '1 KiB': 2 ** 10,
  '64 KiB': 2 ** 16,
  '1 MiB': 2 ** 20,
  '8 MiB': 2 ** 23,
} as const

/** Writes and reads files. */
export const files: Scenario = {
  name: 'files',
  title: 'Files',
  does: 'Writes a text of 1 KiB to 8 MiB to a file through the API, and reads it back.',
  note: 'just-bash keeps the very buffer that it is given and gives it back, in the same thread, and copies nothing.',
  unit: 'ms',
  cases: Object.keys(sizes).flatMap((size) => [`write ${size}`, `read ${size}`]),
  rounds: 3,
  measure: (contender, effort) =>
    withShell(contender, async function* (shell) {
      const sampling = { time: 60 * effort, least: 3, warmup: 1 }
      while (true) {
        const samples: Record<string, readonly number[]> = {}
        for (const [size, bytes] of Object.entries(sizes)) {
          const path = `${shell.root}/file-${bytes}`
          const content = textOf(bytes)
          samples[`write ${size}`] = await sampleTimes(() => shell.writeFile(path, content), sampling)
          samples[`read ${size}`] = await sampleTimes(() => readBack(shell, path, content), sampling)
        }
        yield samples
      }
    }),
  targets: (results) =>
    (['write 8 MiB', 'read 8 MiB'] as const).map((name) =>
      ratioFigure(results, {
        name: `${name} / native`,
        of: [name, 'ours-worker'],
        to: [name, 'raw'],
        target: { most: name === 'write 8 MiB' ? 1.3 : 1.15 },
      }),
    ),
}

/** Reads a file and checks its length, first and last byte. */
async function readBack(shell: Shell, path: string, content: Uint8Array): Promise<void> {
  const read = await shell.readFile(path)
  const same = read.length === content.length && read[0] === content[0] && read.at(-1) === content.at(-1)
  if (!same) throw new Error(`${path} came back with ${read.length} bytes of ${content.length}.`)
}

function textOf(bytes: number): Uint8Array {
  return new Uint8Array(bytes).map((_, index) => (index % 80 === 79 ? 10 : 97 + (index % 26)))
}
