import type { EngineSource } from '../../../src/contract/lease.ts'
import { Code } from '../../service/code/code.ts'
import { loadScript } from '../../service/code/load-script.ts'
import type { Engine } from '../../service/engine-shell.ts'
import { errorMessage } from '../../service/error-message.ts'
import { FarError } from '../../service/far-error.ts'
import { loadFile } from '../../service/load-file.ts'

type BashModule = typeof import('./bash-engine.ts')

const FILE = './bash.cjs'

/** What this thread loads the engine with, once it has. */
let loaded: { readonly module: BashModule; readonly code: Code | undefined } | undefined

/** Loads the bash engine from its own file, so that workers of other engines do without it. @throws FarError where it cannot be loaded */
export async function loadBash(source: EngineSource): Promise<Engine> {
  try {
    loaded ??= load(source)
    const { module, code } = loaded
    return await module.bashEngine(source.path, { code })
  } catch (error) {
    const reason = errorMessage(error)
    throw new FarError({
      code: 'ENGINE_UNAVAILABLE',
      message: `The bash engine could not be loaded: ${reason} It needs the file 'bash.cjs' of this package next to the worker entry ('${__filename}').`,
    })
  }
}

function load({ code: path }: EngineSource): NonNullable<typeof loaded> {
  const code = path === undefined ? undefined : Code.from(path)
  const module = code === undefined ? loadFile(FILE) : loadScript(FILE, code)
  return { module: module as BashModule, code }
}
