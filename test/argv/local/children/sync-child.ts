import { LocalSandbox } from '../../../../src/argv/index.ts'

console.log(new LocalSandbox().execSync(['echo', 'out']).output)
