import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { expect, it, onTestFinished } from 'vitest'
import { complaintOf, plotOf, summaryOf } from '../../soak/report.ts'
import { runSoak } from '../../soak/run-soak.ts'

const options = {
  minutes: 1,
  shell: 'strands',
  levels: ['shared'],
  jails: false,
  seed: 9,
  sandboxes: 8,
  pace: 0.05,
} as const

it('ends at a violation and reports it with the seed and the last steps', async () => {
  const leaked: number[] = []
  onTestFinished(() => leaked.forEach((descriptor) => void closeSync(descriptor)))
  const afterClose = () => {
    for (let count = 0; count < 50; count++) leaked.push(openSync(devNull, 'r'))
  }
  const report = await runSoak(options, { afterClose })
  expect(report.seconds).toBeLessThan(50)
  const [first, ...steps] = complaintOf(report)?.split('\n') ?? []
  expect(first).toMatch(/^VIOLATED \(seed 9\): descriptors is \d+, and may be 600 at most$/)
  expect(steps).toContainEqual(expect.stringMatching(/^shared-saboteur: \d+ at \d+\.\d s: /))
  expect(summaryOf(report).join('\n')).toMatch(/^strands, shared: \d+ s, 8 actors a level, seed 9, /)
  expect(plotOf(report)).toContain('Soak of strands, isolation shared')
})
