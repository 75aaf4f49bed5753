import { writeFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { readLog } from '../../src/cli/audit/read-log.ts'
import { logPath } from '../audit/support.ts'

const lines = 60

/** Writes a line into each file of a log. The steps of a rotation are as far apart as on a busy machine. */
const writer = `
const { appendFileSync, existsSync, renameSync } = require('node:fs')
const { file, lines } = require('node:worker_threads').workerData
const idle = new Int32Array(new SharedArrayBuffer(4))
const move = (from, to) => {
  renameSync(from, to)
  Atomics.wait(idle, 0, 0, Math.random() * 0.3)
}
for (let line = 1; line <= lines; line++) {
  let free = 1
  while (existsSync(file + '.' + free)) free++
  for (let number = free; number > 1; number--) move(file + '.' + (number - 1), file + '.' + number)
  move(file, file + '.1')
  appendFileSync(file, line + '\\n')
}
`

test.each(['--all --follow', '--follow'])(
  '%s: every line is read once and in order while the log rotates',
  async (words) => {
    const logs = Array.from({ length: 6 }, async () => {
      const file = await logPath()
      await writeFile(file, '0\n')
      const found: number[] = []
      const reading = readLog(file, { all: words.startsWith('--all'), follow: true })
      for await (const { bytes } of reading) {
        if (found.push(Number(bytes)) === 1) new Worker(writer, { eval: true, workerData: { file, lines } })
        if (found.at(-1) === lines) break
      }
      return found
    })
    const wanted = Array.from({ length: lines + 1 }, (_, line) => line)
    expect(await Promise.all(logs)).toEqual(logs.map(() => wanted))
  },
)
