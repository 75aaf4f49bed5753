import { describe, expect, it } from 'vitest'
import { strandsEngine } from '../../src/engines/strands/strands-engine.ts'
import { Levels } from '../../src/host/levels.ts'
import { resolveHostOptions } from '../../src/host/resolve-options.ts'
import { SandboxClosedError } from '../../src/sandbox/errors.ts'

const ignore = () => undefined
const open = () =>
  new Levels(
    resolveHostOptions({ isolation: 'process' }),
    {
      egress: {},
      onFallback: ignore,
      onFreePlaces: ignore,
      onWait: ignore,
    },
    strandsEngine,
  )

describe('the places of a host', () => {
  it('are the same for openings that load the code of cells together', async () => {
    const levels = open()
    const first = levels.placesOf('process', strandsEngine)
    const second = levels.placesOf('process', strandsEngine)
    expect(await second).toBe(await first)
    expect(levels.known('process', strandsEngine)).toBe(await first)
    await levels.close()
  })

  it('are not made where the host was closed while the code of cells was loaded, for which closing waits', async () => {
    const levels = open()
    const refused: unknown[] = []
    levels.placesOf('process', strandsEngine).catch((error: unknown) => refused.push(error))
    await levels.close()
    expect(refused).toEqual([expect.any(SandboxClosedError)])
    expect(levels.known('process', strandsEngine)).toBeUndefined()
  })
})
