import { expect, it } from 'vitest'
import { SandboxAbortError } from '../../src/index.ts'
import { editorTool, sandboxTools, type ToolId } from '../../src/tools/index.ts'
import { describePlaces } from './support/places.ts'

describePlaces('the tools', (place) => {
  it('run a command and tell what came of it', async () => {
    const { call } = place()
    expect(await call('shell', { command: 'echo out; echo err >&2; exit 3' })).toEqual({
      text: 'out\n[stderr]\nerr\n[Exit code 3.]',
      isError: false,
      data: {
        exitCode: 3,
        stdout: 'out\n',
        stderr: 'err\n',
        timedOut: false,
        truncated: false,
        durationMs: expect.any(Number),
        files: [],
      },
    })
    expect((await call('shell', { command: 'true' })).text).toBe('(no output)')
  })

  it('run code', async () => {
    const { call } = place()
    const { text } = await call('run_code', { code: 'x=2\necho $((x + 1))', language: 'sh' })
    expect(text).toBe('3')
  })

  it('write a file with one, read it with another', async () => {
    const { call, directory } = place()
    const path = `${directory}/deep/er/notes.txt`
    expect(await call('write_file', { path, content: 'one\nzwö\n' })).toEqual({
      text: `Wrote ${path} (9 bytes, 2 lines).`,
      isError: false,
      data: { path, bytes: 9 },
    })
    expect(await call('read_file', { path })).toEqual({
      text: '     1\tone\n     2\tzwö',
      isError: false,
      data: { path, content: 'one\nzwö', startLine: 1, endLine: 2, totalLines: 2, truncated: false },
    })
    expect((await call('shell', { command: `cat ${path}` })).text).toBe('one\nzwö')
  })

  it('read a range, and long files in parts', async () => {
    const { call, directory } = place()
    const path = `${directory}/long.txt`
    await call('write_file', {
      path,
      content: Array.from({ length: 100 }, (_, i) => `row ${i + 1}`).join('\n'),
    })
    expect((await call('read_file', { path, start_line: 99, end_line: null })).text).toBe(
      '    99\trow 99\n   100\trow 100',
    )
    const { text, data } = await call('read_file', { path, start_line: 50 }, { maxCharacters: 200 })
    expect(text).toMatch(/^ {4}50\trow 50\n.*\n\[Lines 50 to 63 of 100\. Go on with line 64\.\]$/s)
    expect(data).toMatchObject({ startLine: 50, endLine: 63, totalLines: 100, truncated: true })
    expect(await call('read_file', { path, start_line: 101 })).toEqual(
      refusal('NO_SUCH_LINE', `${path} has 100 lines, and none with the number 101.`),
    )
  })

  it('say that a file is empty', async () => {
    const { call, directory } = place()
    const path = `${directory}/empty.txt`
    await call('write_file', { path, content: '' })
    expect((await call('read_file', { path })).text).toBe(`(${path} is empty)`)
  })

  it('edit a file', async () => {
    const { call, directory, sandbox } = place()
    const path = `${directory}/edit.txt`
    await call('write_file', { path, content: 'a\nb\nc\n' })
    const replaced = await call('edit_file', { command: 'str_replace', path, old_str: 'b', new_str: 'B\nB' })
    expect(replaced).toEqual({
      text: `Edited ${path}:\n     1\ta\n     2\tB\n     3\tB\n     4\tc`,
      isError: false,
      data: { path, startLine: 2, endLine: 3 },
    })
    await call('edit_file', { command: 'insert', path, insert_line: 0, new_str: 'top' })
    expect(await sandbox.readText(path)).toBe('top\na\nB\nB\nc\n')
    expect(await call('edit_file', { command: 'insert', path, new_str: 'x' })).toEqual(
      refusal('INVALID_INPUT', 'insert needs insert_line.'),
    )
  })

  it('lose no edit of many that come at once', async () => {
    const { call, directory, sandbox } = place()
    const path = `${directory}/parallel.txt`
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await call('write_file', { path, content: names.map((name) => `${name}=0\n`).join('') })
    await Promise.all(
      names.map((name) =>
        call('edit_file', { command: 'str_replace', path, old_str: `${name}=0`, new_str: `${name}=1` }),
      ),
    )
    expect(await sandbox.readText(path)).toBe(names.map((name) => `${name}=1\n`).join(''))
  })

  it('list a directory, and what is below it', async () => {
    const { call, directory } = place()
    const path = `${directory}/tree`
    await call('write_file', { path: `${path}/b/c/d.txt`, content: '12345' })
    await call('write_file', { path: `${path}/.hidden`, content: '' })
    const names = async (depth?: number) => {
      const { text } = await call('list_files', { path, depth })
      return text.replaceAll(/ \(\d bytes\)/g, '').split('\n')
    }
    expect(await names()).toEqual(['.hidden', 'b/'])
    expect(await names(3)).toEqual(['.hidden', 'b/', 'b/c/', 'b/c/d.txt'])
    const { text, data } = await call('list_files', { path: '.' })
    expect({ isText: text !== '', path: data['path'] }).toEqual({ isText: true, path: '.' })
  })

  it('list no more than a model can take', async () => {
    const { call, directory } = place()
    const path = `${directory}/many`
    await call('shell', {
      command: `mkdir -p ${path}; i=100; while [ $i -lt 200 ]; do : > ${path}/file-$i; i=$((i + 1)); done`,
    })
    const { text, data } = await call('list_files', { path }, { maxCharacters: 200 })
    expect(text).toContain(`\n[There are more: list a directory below ${path}.]`)
    expect(text.length).toBeLessThan(300)
    expect(data['truncated']).toBe(true)
  })

  it('refuse a binary file', async () => {
    const { call, directory, sandbox } = place()
    const path = `${directory}/image.png`
    await sandbox.writeFile(path, Uint8Array.of(0x89, 0x50, 0x00, 0x47))
    const expected = refusal(
      'BINARY',
      `${path} (4 bytes) is not a text file: it holds a NUL byte at offset 2. Use a program that understands its format.`,
    )
    expect(await call('read_file', { path })).toEqual(expected)
    expect(await call('edit_file', { command: 'insert', path, insert_line: 0, new_str: 'x' })).toEqual(
      expected,
    )
    expect(await sandbox.readFile(path)).toHaveLength(4)
  })

  it('put long output into a file of the sandbox', async () => {
    const { call, directory, sandbox } = place()
    const command = 'i=0; while [ $i -lt 300 ]; do echo line $i; i=$((i + 1)); done'
    const { text, data } = await call('shell', { command }, { maxCharacters: 400, spillDirectory: directory })
    const [file] = [data['files']].flat()
    expect(text).toContain(`All of stdout is in ${file}`)
    expect([text.startsWith('line 0\n'), text.endsWith('\nline 299')]).toEqual([true, true])
    expect((await sandbox.readText(String(file))).split('\n')).toHaveLength(301)
  })

  it('give a command up after its timeout, in words', async () => {
    const { call } = place()
    const output = await call('shell', { command: 'sleep 3', timeout: 0.2 })
    expect(output).toMatchObject({ isError: true, data: { code: 'TIMEOUT' } })
    expect(output.text).toMatch(/^TIMEOUT: .* Do less in one call, or give it a longer timeout\.$/)
  })

  it('refuse input that does not fit, in words', async () => {
    const { call } = place()
    const { text, isError } = await call('shell', { command: 3 })
    expect({ text, isError }).toEqual({
      text: 'The input of this tool is not valid.\n✖ Invalid input: expected string, received number\n  → at command',
      isError: true,
    })
  })

  it.each<[ToolId, object, string]>([
    ['shell', { command: 'pwd', cwd: '/' }, 'cwd is no option. Known here: command, timeout.'],
    ['shell', { comand: 'pwd' }, 'comand is no option. Did you mean command?'],
    ['read_file', { path: '/', start: 5 }, 'start is no option.'],
    ['write_file', { path: '/a', content: '', mode: 511 }, 'mode is no option.'],
    ['edit_file', { command: 'insert', path: '/a', new_str: '', line: 1 }, 'line is no option.'],
    ['list_files', { dept: 1 }, 'dept is no option. Did you mean depth?'],
    ['run_code', { code: '', language: 'sh', args: [] }, 'args is no option.'],
  ])('%s refuses what it would ignore: %j', async (tool, input, told) => {
    const { isError, data, text } = await place().call(tool, input)
    expect([isError, data['code']]).toEqual([true, 'INVALID_INPUT'])
    expect(text).toContain(told)
  })

  it('tell of what is not there', async () => {
    const { call, directory } = place()
    const path = `${directory}/nothing`
    for (const output of [await call('read_file', { path }), await call('list_files', { path })]) {
      expect(output).toMatchObject({ isError: true, data: { code: 'PATH_NOT_FOUND' } })
      expect(output.text).toContain(path)
    }
  })

  it('reject when their signal is aborted, before or while they run', async () => {
    const { call } = place()
    const reason = new Error('enough')
    const before = call('write_file', { path: '/x', content: '' }, {}, { signal: AbortSignal.abort(reason) })
    await expect(before).rejects.toMatchObject({ name: 'SandboxAbortError', cause: reason })
    const controller = new AbortController()
    const running = call('shell', { command: 'sleep 3' }, {}, { signal: controller.signal })
    setTimeout(() => controller.abort(reason), 50)
    await expect(running).rejects.toBeInstanceOf(SandboxAbortError)
  })

  it('are one editor as well', async () => {
    const { sandbox, directory } = place()
    const editor = editorTool(sandbox, { name: 'edit' })
    const path = `${directory}/editor/file.txt`
    const run = async (input: object) => (await editor.run({ path, ...input })).text
    expect(editor.name).toBe('edit')
    expect(await run({ command: 'create', file_text: 'a\nb\n' })).toBe(`Wrote ${path} (4 bytes).`)
    expect(await run({ command: 'view', view_range: [2, -1] })).toBe('     2\tb')
    expect(await run({ command: 'str_replace', old_str: 'a', new_str: 'A' })).toContain('     1\tA')
    expect(await run({ command: 'insert', insert_line: 2, new_str: 'c' })).toContain('     3\tc')
    expect(await run({ command: 'view', path: `${directory}/editor` })).toMatch(/^file\.txt/)
    expect(await run({ command: 'create' })).toBe('create needs file_text.')
    expect(await run({ command: 'view', path: `${directory}/none` })).toContain('PATH_NOT_FOUND')
  })

  it('describe every field, and tell what they do', () => {
    const { sandbox } = place()
    for (const tool of [...sandboxTools(sandbox), editorTool(sandbox)]) {
      const fields = Object.entries({ ...tool.input.shape, ...tool.output.shape })
      const bare = fields.filter(
        ([name, field]) => name !== 'entries' && !('description' in field && field.description),
      )
      expect({ tool: tool.name, bare }).toEqual({ tool: tool.name, bare: [] })
    }
    expect(sandboxTools(sandbox).map(({ name, hints }) => [name, hints.readOnly])).toEqual([
      ['shell', false],
      ['read_file', true],
      ['write_file', false],
      ['edit_file', false],
      ['list_files', true],
      ['run_code', false],
    ])
  })
})

function refusal(code: string, message: string) {
  return { text: message, isError: true, data: { code, message } }
}
