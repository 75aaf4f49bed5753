import type { EngineSource } from '../../../src/contract/lease.ts'
import type { Engine } from '../../service/engine-shell.ts'
import { errorMessage } from '../../service/error-message.ts'
import { FarError } from '../../service/far-error.ts'
import { loadFile } from '../../service/load-file.ts'

type BashModule = typeof import('./bash-engine.ts')

/** Loads the bash engine from its own file, so that workers of other engines do without it. @throws FarError where it cannot be loaded */
export async function loadBash(source: EngineSource): Promise<Engine> {
  try {
    const { bashEngine }: BashModule = loadFile('./bash.cjs')
    return await bashEngine(source.path)
  } catch (error) {
    const reason = errorMessage(error)
    throw new FarError({
      code: 'ENGINE_UNAVAILABLE',
      message: `The bash engine could not be loaded: ${reason} It needs the file 'bash.cjs' of this package next to the worker entry ('${__filename}').`,
    })
  }
}
