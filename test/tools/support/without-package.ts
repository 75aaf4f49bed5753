import { execFile } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { program } from '../../fixtures/program.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** Has Node look for a package where nothing is installed, so that it fails as it does for a missing one. */
const hooks = (name: string) => `
  export function resolve(specifier, context, next) {
    const missing = specifier === '${name}' || specifier.startsWith('${name}/')
    return next(specifier, missing ? { ...context, parentURL: 'file:///nothing/is/here.mjs' } : context)
  }`

const moduleOf = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`

/** The message with which the import of a source file fails in a Node that does not have the package. */
export function importWithout(name: string, file: string): Promise<string> {
  const register = `import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hooks(name)))})`
  const code = `
    try {
      await import(${JSON.stringify(pathToFileURL(program(file)).href)})
      console.log('imported')
    } catch (error) {
      console.log(error.message)
    }`
  const flags = ['--import', moduleOf(register), '--input-type=module', '--eval', code]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, flags, { cwd: repository, timeout: 50_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.trimEnd())
      else reject(new Error(stderr, { cause: error }))
    })
  })
}
