import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import { sandboxEditor } from '../../src/openai-agents/index.ts'

let sandbox: StrandsShellSandbox

beforeEach(async () => {
  sandbox = await StrandsShellSandbox.open()
})

afterEach(() => sandbox.close())

test('a file is created from a diff, updated, moved and deleted', async () => {
  const editor = sandboxEditor(sandbox)
  const created = await editor.createFile({ type: 'create_file', path: '/tmp/a.txt', diff: '+one\n+two\n' })
  expect(created).toEqual({ status: 'completed', output: 'Created /tmp/a.txt.' })
  expect(await sandbox.readText('/tmp/a.txt')).toBe('one\ntwo\n')

  const updated = await editor.updateFile({
    type: 'update_file',
    path: '/tmp/a.txt',
    diff: '@@\n one\n-two\n+three\n',
  })
  expect(updated).toEqual({ status: 'completed', output: 'Updated /tmp/a.txt.' })
  expect(await sandbox.readText('/tmp/a.txt')).toBe('one\nthree\n')

  const moved = await editor.updateFile({
    type: 'update_file',
    path: '/tmp/a.txt',
    moveTo: '/tmp/deep/b.txt',
    diff: '@@\n-one\n+1\n three\n',
  })
  expect(moved).toEqual({
    status: 'completed',
    output: 'Updated /tmp/a.txt and moved it to /tmp/deep/b.txt.',
  })
  expect((await sandbox.execute('cat /tmp/deep/b.txt; ls /tmp/a.txt')).stdout).toBe('1\nthree\n')

  const deleted = await editor.deleteFile({ type: 'delete_file', path: '/tmp/deep/b.txt' })
  expect(deleted).toEqual({ status: 'completed', output: 'Deleted /tmp/deep/b.txt.' })
  expect((await sandbox.execute('ls /tmp/deep')).stdout).toBe('')
})

describe('what cannot be done is a failed result that says why, and changes nothing', () => {
  test('a file that exists is not created again', async () => {
    await sandbox.writeText('/tmp/a.txt', 'mine\n')
    const result = await sandboxEditor(sandbox).createFile({
      type: 'create_file',
      path: '/tmp/a.txt',
      diff: '+other\n',
    })
    expect(result).toEqual({ status: 'failed', output: '/tmp/a.txt exists already. Update it instead.' })
    expect(await sandbox.readText('/tmp/a.txt')).toBe('mine\n')
  })

  test('a move does not replace a file', async () => {
    await sandbox.writeText('/tmp/a.txt', 'mine\n')
    await sandbox.writeText('/tmp/b.txt', 'other\n')
    const result = await sandboxEditor(sandbox).updateFile({
      type: 'update_file',
      path: '/tmp/a.txt',
      moveTo: '/tmp/b.txt',
      diff: '@@\n-mine\n+yours\n',
    })
    expect(result).toEqual({ status: 'failed', output: '/tmp/b.txt exists already.' })
    expect((await sandbox.execute('cat /tmp/a.txt /tmp/b.txt')).stdout).toBe('mine\nother\n')
  })

  test('a diff whose context is not in the file', async () => {
    await sandbox.writeText('/tmp/a.txt', 'one\n')
    const result = await sandboxEditor(sandbox).updateFile({
      type: 'update_file',
      path: '/tmp/a.txt',
      diff: '@@\n-two\n+three\n',
    })
    expect(result).toEqual({
      status: 'failed',
      output: 'The diff does not fit: Invalid Context 0:\ntwo',
    })
    expect(await sandbox.readText('/tmp/a.txt')).toBe('one\n')
  })

  test('a file that is no text', async () => {
    await sandbox.writeFile('/tmp/a.bin', Uint8Array.of(0x61, 0x0a, 0xff, 0x0a))
    const result = await sandboxEditor(sandbox).updateFile({
      type: 'update_file',
      path: '/tmp/a.bin',
      diff: '@@\n-a\n+b\n',
    })
    expect(result).toEqual({ status: 'failed', output: '/tmp/a.bin is not UTF-8 text.' })
    expect(await sandbox.readFile('/tmp/a.bin')).toEqual(Uint8Array.of(0x61, 0x0a, 0xff, 0x0a))
  })

  test('a file that is not there', async () => {
    const editor = sandboxEditor(sandbox)
    const results = [
      await editor.updateFile({ type: 'update_file', path: '/tmp/none', diff: '@@\n+a\n' }),
      await editor.deleteFile({ type: 'delete_file', path: '/tmp/none' }),
    ]
    expect(results).toEqual([
      { status: 'failed', output: expect.stringContaining('/tmp/none') },
      { status: 'failed', output: expect.stringContaining('/tmp/none') },
    ])
  })

  test('a directory that is bound read-only', async () => {
    await using readOnly = await StrandsShellSandbox.open({
      binds: [{ source: import.meta.dirname, destination: '/work', mode: 'direct', readonly: true }],
    })
    const result = await sandboxEditor(readOnly).createFile({
      type: 'create_file',
      path: '/work/new.txt',
      diff: '+a\n',
    })
    expect(result).toEqual({ status: 'failed', output: expect.stringContaining('/work/new.txt') })
  })
})

test('a byte order mark and Windows line ends stay', async () => {
  await sandbox.writeText('/tmp/a.txt', '\uFEFFone\r\ntwo\r\n')
  await sandboxEditor(sandbox).updateFile({
    type: 'update_file',
    path: '/tmp/a.txt',
    diff: '@@\n-two\n+three\n',
  })
  expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await sandbox.readFile('/tmp/a.txt'))).toBe(
    '\uFEFFone\r\nthree\r\n',
  )
})
