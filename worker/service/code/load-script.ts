import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { loadFile } from '../load-file.ts'
import type { Code } from './code.ts'

type Run = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  directory: string,
  $import: (url: string) => Promise<unknown>,
) => void

/** Loads a file beside the worker entry as `loadFile` does, by its compiled code, and anew each time. */
export function loadScript(name: string, code: Code): object {
  const path = loadFile.resolve(name)
  const text = `(function(exports,require,module,__filename,__dirname,$import){${readFileSync(path, 'utf8')}\n})`
  const run: Run = code.script(text, path).runInThisContext()
  const module = { exports: {} }
  // V8 forgets where compiled code came from, which `import()` would ask in there.
  run(module.exports, loadFile, module, path, dirname(path), (url) => import(url))
  return module.exports
}
