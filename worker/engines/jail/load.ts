import type { EngineSource } from '../../../src/contract/lease.ts'
import type { Engine } from '../../service/engine-shell.ts'
import { loadFile } from '../../service/load-file.ts'

type JailModule = typeof import('./jail-engine.ts')

/** Loads the driver of jails from its own file, so that workers of other engines do without it. */
export async function loadJail(source: EngineSource): Promise<Engine> {
  const { jailEngine }: JailModule = loadFile('./jail.cjs')
  return jailEngine(source)
}
