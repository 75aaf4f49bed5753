import { createRequire, Module } from 'node:module'
import { StrandsShellSandbox } from '../../../src/index.ts'

const loads: string[] = []
const { dlopen } = process
process.dlopen = (module: object, filename: string, flags?: number) => {
  loads.push(filename)
  return flags === undefined ? dlopen(module, filename) : dlopen(module, filename, flags)
}

const sandbox = new StrandsShellSandbox()
const { stdout } = await sandbox.execute('echo from the engine')
await sandbox.close()
const again = await StrandsShellSandbox.open()
await again.readFile('/no/such/file').catch(() => undefined)

const cached = Object.keys(createRequire(import.meta.url).cache).concat(
  Object.keys(Reflect.get(Module, '_cache')),
)
const addons = [...loads, ...cached].filter((path) => path.endsWith('.node') && /strands/.test(path))
console.log(JSON.stringify({ stdout, addons }))
