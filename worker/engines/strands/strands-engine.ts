import type { EngineSource } from '../../../src/contract/lease.ts'
import type { Engine, EngineShell } from '../../service/engine-shell.ts'
import { initialize } from '../../service/initialize.ts'
import { wrongRecord } from '../../service/wrong-record.ts'
import { buildShell } from './build-shell.ts'
import { STRANDS_CAPABILITIES } from './capabilities.ts'
import { shellBuilt } from './collect.ts'
import { loadNative, type NativeEngine } from './native-engine.ts'
import { StrandsEngineShell } from './strands-shell.ts'

/** Loads the native engine and puts what guards it around it. @throws FarError where it cannot be loaded */
export async function loadStrands(source: EngineSource): Promise<Engine> {
  return strandsEngine(await loadNative(source))
}

/** The engine that builds guarded shells out of native ones. */
export function strandsEngine(native: NativeEngine): Engine {
  return {
    capabilities: STRANDS_CAPABILITIES,
    build: async (record, { gate, lost }) => {
      if (record.engine !== 'strands') throw wrongRecord(record.engine)
      const built = await buildShell(native, record, gate)
      shellBuilt()
      const shell = new StrandsEngineShell(built, lost)
      if (record.init !== undefined && record.restores !== true) await begin(shell, record.init)
      return shell
    },
  }
}

/** A shell that is not handed over is let go here. */
async function begin(shell: EngineShell, init: string): Promise<void> {
  try {
    await initialize(shell, init)
  } catch (error) {
    shell.close()
    throw error
  }
}
