import { afterAll, beforeAll, expect, it } from 'vitest'
import { normalizeExitStatus } from '../../../../../worker/engines/strands/guards/exit-status.ts'
import { Engine } from './engine.ts'

let engine: Engine
beforeAll(() => {
  engine = Engine.start()
})
afterAll(() => engine.stop())

it.each([
  ['exit 300', 300, 44],
  ['exit -1', -1, 255],
  ['exit 256', 256, 0],
  ['return 513', 513, 1],
  ['exit 7', 7, 7],
])('%j leaves status %d, which becomes %d', async (command, status, normal) => {
  expect(await engine.raw(command)).toEqual({ status, stdout: '', stderr: '' })
  expect(normalizeExitStatus(status)).toBe(normal)
})
