import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rewriteCommand } from '../../../../../worker/engines/strands/guards/rewrite.ts'
import type { NativeOutput } from '../../../../../worker/engines/strands/native-shell.ts'
import { Engine, printed } from './engine.ts'

/** A command, what the engine alone makes of it, and what it prints behind the guards. */
export interface Quirk {
  readonly command: string
  readonly alone: NativeOutput | 'panic'
  readonly prints: string
}

/** Declares the tests of a text guard: quirks that it shields and texts that it must not touch. */
export function testTextGuard(
  name: string,
  quirks: readonly Quirk[],
  untouched: readonly string[],
  more: (engine: () => Engine) => void = () => undefined,
): void {
  describe(name, () => {
    let engine: Engine
    beforeAll(() => {
      engine = Engine.start()
    })
    afterAll(() => engine.stop())

    it.each(quirks)('shields $command', async ({ command, alone, prints }) => {
      expect(await engine.raw(command)).toEqual(alone)
      expect(await engine.guarded(command)).toEqual(printed(prints))
    })

    it.each(untouched)('leaves %j as it is', (command) => {
      expect(rewriteCommand(command)).toBe(command)
    })

    more(() => engine)
  })
}
