import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CodeAdapter, type CodeAdapterOptions, type LanguageRunner } from '../../../src/argv/index.ts'
import { refusalOf } from '../../sandbox/refusal.ts'
import { localSandbox, RemoteSandbox, temporaryDirectory } from '../helpers.ts'

describe('CodeAdapter.run', () => {
  it.each([
    ['python', 'print(40 + 2)', '42'],
    ['bash', 'a=(1 2); [[ -n $a ]] && echo $a', '1'],
    ['javascript', 'console.log(40 + 2)', '42'],
    ['typescript', 'const x: number = 42; console.log(x)', '42'],
  ])('runs %s', async (language, code, output) => {
    const sandbox = localSandbox({ env: { PATH: `${dirname(process.execPath)}:${pathWithTsx()}` } })
    const adapter = new CodeAdapter(sandbox, { languages: [language] })
    expect(await adapter.run(code, language)).toMatchObject({ output, exitCode: 0 })
    expect(readdirSync(sandbox.workdir)).toEqual([])
  })

  it.each([
    ['python', [['python3', '-c', 'code']]],
    ['bash', [['bash', '-c', 'code']]],
    ['javascript', [['node', expect.stringMatching(/^\/workspace\/code_[0-9a-f]{32}\.js$/)]]],
    ['typescript', [['tsx', expect.stringMatching(/^\/workspace\/code_[0-9a-f]{32}\.ts$/)]]],
    ['lua', [['lua', expect.stringMatching(/^\/workspace\/code_[0-9a-f]{32}\.lua$/)]]],
  ])('gives the sandbox the argv of %s', async (language, execs) => {
    const sandbox = new FileSandbox()
    const languages = ['python', 'bash', 'javascript', 'typescript', 'lua']
    const adapter = new CodeAdapter(sandbox, { languages, timeout: 5 })
    expect(adapter.supportedLanguages).toEqual(languages)
    expect(await adapter.run('code', language)).toMatchObject({ output: 'ok', exitCode: 0 })
    expect(sandbox.execs).toEqual(execs)
    expect(sandbox.options).toEqual([{ env: {}, timeout: 5, signal: undefined }])
    expect(sandbox.files).toEqual(new Map())
  })

  it('keeps exit codes and time limits', async () => {
    const adapter = new CodeAdapter(localSandbox(), { timeout: 0.5 })
    expect(await adapter.run('exit 7', 'bash')).toMatchObject({ output: '', exitCode: 7 })
    expect(await adapter.run('sleep 30', 'bash')).toMatchObject({
      output: 'Command timed out after 0.5s',
      exitCode: 124,
    })
  })

  it('says which languages are enabled', async () => {
    const adapter = new CodeAdapter(new RemoteSandbox(), { languages: ['python'] })
    expect(await adapter.run('echo', 'bash')).toMatchObject({
      output: "Language 'bash' is not enabled. Available: ['python']",
      exitCode: 2,
    })
  })

  it('removes the file after success, failure and abort', async () => {
    const failing: readonly Partial<FileSandbox>[] = [
      { exec: () => Promise.reject(new Error('exec')) },
      {
        async putFile(this: FileSandbox, path: string) {
          this.files.set(path, 'half')
          throw new Error('put')
        },
      },
    ]
    for (const failure of failing) {
      const sandbox = Object.assign(new FileSandbox(), failure)
      const adapter = new CodeAdapter(sandbox, { languages: ['javascript'] })
      await expect(adapter.run('code', 'javascript')).rejects.toThrow(/^(exec|put)$/)
      expect(sandbox.files).toEqual(new Map())
      expect(sandbox.removed).toHaveLength(1)
    }
  })

  it('returns its result even if the file cannot be removed', async () => {
    const sandbox = Object.assign(new FileSandbox(), {
      removeFile: () => Promise.reject(new Error('remove')),
    })
    const adapter = new CodeAdapter(sandbox, { languages: ['javascript'] })
    expect(await adapter.run('code', 'javascript')).toMatchObject({ output: 'ok', exitCode: 0 })
  })
})

describe('runners', () => {
  it('given by the caller override the defaults and add languages', async () => {
    const sandbox = new FileSandbox()
    const runners = { python: { inline: ['pypy', '-c'] }, ruby: { file: ['ruby', '-w'], extension: 'rb' } }
    const adapter = new CodeAdapter(sandbox, { languages: ['python', 'bash', 'ruby'], runners })
    for (const language of ['python', 'bash', 'ruby']) await adapter.run('code', language)
    expect(sandbox.execs).toEqual([
      ['pypy', '-c', 'code'],
      ['bash', '-c', 'code'],
      ['ruby', '-w', expect.stringMatching(/\.rb$/)],
    ])
  })

  it('are tried in turn until a program exists', async () => {
    const bin = temporaryDirectory()
    writeFileSync(join(bin, 'python'), '#!/bin/sh\necho "python $2"\n')
    chmodSync(join(bin, 'python'), 0o755)
    const adapter = new CodeAdapter(localSandbox({ env: { PATH: bin } }))
    expect(await adapter.run('code', 'python')).toMatchObject({ output: 'python code', exitCode: 0 })
    expect(await adapter.run('code', 'bash')).toMatchObject({
      output: 'Command not found: "bash"',
      exitCode: 127,
    })
  })

  it('are not tried in turn when the code itself exits with 127', async () => {
    const bin = temporaryDirectory()
    for (const [name, code] of [
      ['python3', 127],
      ['python', 0],
    ] as const) {
      const script = `#!/bin/sh\n[ "$1" = --version ] && exit 0\necho ran ${name}\nexit ${code}\n`
      writeFileSync(join(bin, name), script)
      chmodSync(join(bin, name), 0o755)
    }
    const adapter = new CodeAdapter(localSandbox({ env: { PATH: bin } }))
    expect(await adapter.run('code', 'python')).toMatchObject({ output: 'ran python3', exitCode: 127 })
  })

  it.each<[unknown, string]>([
    [{}, 'runners.x'],
    [{ inline: ['a'], file: ['b'], extension: 'c' }, 'runners.x'],
    [{ inline: ['a'], extension: 'c' }, 'runners.x'],
    [{ file: ['b'] }, 'runners.x.extension'],
    [{ extension: 'c' }, 'runners.x.file'],
    [{ file: [], extension: 'c' }, 'runners.x.file'],
    [{ inline: [] }, 'runners.x.inline'],
    [{ inline: 'a' }, 'runners.x.inline'],
    [{ inline: ['a', 7] }, 'runners.x.inline[1]'],
    [{ file: ['b'], extension: '../c' }, 'runners.x.extension'],
    [[], 'runners.x'],
    [[{ inline: ['a'] }, {}], 'runners.x[1]'],
    ['python', 'runners.x'],
  ])('%j is refused for %s', (runner, field) => {
    const make = () => new CodeAdapter(new RemoteSandbox(), { runners: { x: runner as LanguageRunner } })
    expect(refusalOf(make).field).toBe(field)
  })

  it.each<[unknown, string]>([
    [{ languages: ['python', 'ocaml'] }, 'languages[1]'],
    [{ languages: ['toString'] }, 'languages[0]'],
    [{ languages: 'python' }, 'languages'],
    [{ runners: 'python' }, 'runners'],
    [{ timeout: 0 }, 'timeout'],
    [{ language: ['python'] }, 'language'],
  ])('the options %j are refused for %s', (options, field) => {
    const make = () => new CodeAdapter(new RemoteSandbox(), options as CodeAdapterOptions)
    expect(refusalOf(make).field).toBe(field)
  })
})

class FileSandbox extends RemoteSandbox {
  readonly files = new Map<string, string>()
  readonly removed: string[] = []

  override async putFile(path?: string, content?: Uint8Array): Promise<void> {
    this.files.set(String(path), new TextDecoder().decode(content))
  }

  override async removeFile(path?: string): Promise<void> {
    this.removed.push(String(path))
    this.files.delete(String(path))
  }
}

/** A PATH with tsx, which this package's own development has. */
function pathWithTsx(): string {
  const bin = join(temporaryDirectory(), 'bin')
  mkdirSync(bin)
  symlinkSync(join(import.meta.dirname, '../../../node_modules/.bin/tsx'), join(bin, 'tsx'))
  return `${bin}:${process.env['PATH']}`
}
