import { expect, it } from 'vitest'
import { ShellHost, StrandsShellSandbox } from '../../src/index.ts'
import { localShell } from '../../src/posix/index.ts'
import { editorTool, type SandboxToolsOptions, sandboxTools } from '../../src/tools/index.ts'

const names = (options?: SandboxToolsOptions) => sandboxTools(localShell(), options).map(({ name }) => name)

it('tools have the names and the order that they are given', () => {
  expect(names({ include: ['read_file', 'shell', 'shell'], names: { shell: 'bash' } })).toEqual([
    'read_file',
    'bash',
  ])
})

it('an option that is not valid is refused by name', () => {
  const cases: [unknown, string][] = [
    [{ include: ['sh'] }, 'include[0]'],
    [{ include: 'shell' }, 'include'],
    [{ names: { shell: 'a b' } }, 'names.shell'],
    [{ names: { shell: 'read_file' } }, 'names'],
    [{ names: { bash: 'x' } }, 'names.bash'],
    [{ maxCharacters: 199 }, 'maxCharacters'],
    [{ timeout: 0 }, 'timeout'],
    [{ spillDirectory: '' }, 'spillDirectory'],
    [{ languages: [] }, 'languages'],
    [{ languages: ['../sh'] }, 'language'],
    [{ about: 1 }, 'about'],
    [{ other: 1 }, 'other'],
  ]
  for (const [options, field] of cases) {
    const attempt = () => names(options as SandboxToolsOptions)
    expect(attempt, field).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
  }
  for (const none of [undefined, null, 'bash', new ShellHost(), Promise.resolve(localShell())])
    expect(() => sandboxTools(none as never)).toThrow(expect.objectContaining({ field: 'sandbox' }))
  expect(() => editorTool(localShell(), { name: '' })).toThrow(expect.objectContaining({ field: 'name' }))
})

it('code is run in the languages that there are', async () => {
  const languagesOf = (tools: ReturnType<typeof sandboxTools>) =>
    tools.find(({ name }) => name === 'run_code')?.input.safeParse({ code: '', language: 'python3' }).success
  const sandbox = new StrandsShellSandbox()
  expect(languagesOf(sandboxTools(localShell()))).toBe(true)
  expect(languagesOf(sandboxTools(sandbox))).toBe(false)
  expect(languagesOf(sandboxTools(sandbox, { languages: ['python3'] }))).toBe(true)
})
