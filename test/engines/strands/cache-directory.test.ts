import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { cacheDirectories, ensurePrivateDirectory } from '../../../src/engines/strands/cache-directory.ts'

const temporary = join(tmpdir(), `strands-shell-runtime-${process.geteuid?.()}`)

test('the directory that the user names is the only one', () => {
  const env = { STRANDS_SHELL_RUNTIME_CACHE: '/opt/engines', XDG_CACHE_HOME: '/x', HOME: '/home/a' }
  expect(cacheDirectories(env)).toEqual(['/opt/engines'])
  expect(cacheDirectories({ STRANDS_SHELL_RUNTIME_CACHE: 'engines' })).toEqual([resolve('engines')])
})

test("otherwise it is the user's cache, then a temporary directory of the user's own", () => {
  expect(cacheDirectories({ XDG_CACHE_HOME: '/x', HOME: '/home/a' })).toEqual([
    '/x/strands-shell-runtime',
    '/home/a/.cache/strands-shell-runtime',
    temporary,
  ])
  expect(cacheDirectories({ HOME: '/home/a' })).toEqual(['/home/a/.cache/strands-shell-runtime', temporary])
})

test('empty and relative places are not places', () => {
  const env = { STRANDS_SHELL_RUNTIME_CACHE: '', XDG_CACHE_HOME: 'relative', HOME: 'home' }
  expect(cacheDirectories(env)).toEqual([temporary])
})

test('a parent that exists and takes no directory is an error, not an endless loop', async () => {
  await expect(ensurePrivateDirectory('/proc/nope/cache/strands-shell-runtime')).rejects.toThrow('ENOENT')
})
