import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openShell, run } from './open-shell.ts'

test('a session with a bind keeps what a shell consists of, whatever PATH is and whatever is removed', async () => {
  const source = mkdtempSync(join(tmpdir(), 'bound-'))
  onTestFinished(() => rmSync(source, { recursive: true }))
  const bind = { source, destination: '/work', mode: 'direct', readonly: false } as const
  const shell = await openShell({ binds: [bind] })
  expect(await run(shell, 'PATH=/none; n=$((1 << 40)); f() { echo "f $n"; }')).toEqual([0, '', ''])
  expect(await run(shell, 'f')).toEqual([0, 'f 1099511627776\n', ''])
  const other = await openShell({ binds: [bind] })
  await run(other, 'rm -rf /usr/bin /bin; a=(1 2)')
  expect(await run(other, 'echo ${a[1]} $((2 ** 40))')).toEqual([0, '2 1099511627776\n', ''])
})

test('a session with a writable copy hands nothing over: its changes are in its thread alone', async () => {
  const source = mkdtempSync(join(tmpdir(), 'copied-'))
  onTestFinished(() => rmSync(source, { recursive: true }))
  const opened = (mode: 'copy' | 'direct') =>
    openShell({ binds: [{ source, destination: '/work', mode, readonly: false }] })
  await expect(opened('copy').then(async (shell) => shell.checkpoint?.())).rejects.toThrow(
    'The changes of a copy are not handed over.',
  )
  await expect(opened('direct').then(async (shell) => shell.checkpoint?.())).resolves.toEqual([])
})
