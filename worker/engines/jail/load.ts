import type { EngineSource } from '../../../src/contract/lease.ts'
import type { Engine } from '../../service/engine-shell.ts'
import { errorMessage } from '../../service/error-message.ts'
import { FarError } from '../../service/far-error.ts'
import { loadFile } from '../../service/load-file.ts'

type JailModule = typeof import('./jail-engine.ts')

/** Loads the driver of jails from its own file, so that workers of other engines do without it. @throws FarError where it cannot be loaded */
export async function loadJail(source: EngineSource): Promise<Engine> {
  return load().jailEngine(source)
}

function load(): JailModule {
  try {
    return loadFile('./jail.cjs')
  } catch (error) {
    throw new FarError({
      code: 'ENGINE_UNAVAILABLE',
      message: `Jails need the file 'jail.cjs' of this package next to the worker entry ('${__filename}'): ${errorMessage(error)}`,
    })
  }
}
