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

test('a session hands over what it has, also where the directory of a direct bind is gone', async () => {
  const source = mkdtempSync(join(tmpdir(), 'gone-'))
  onTestFinished(() => rmSync(source, { recursive: true, force: true }))
  const shell = await openShell({
    binds: [{ source, destination: '/work', mode: 'direct', readonly: false }],
  })
  await run(shell, 'echo 1 > /work/a; x=kept')
  rmSync(source, { recursive: true })
  const parts = (await shell.checkpoint?.()) ?? []
  expect(parts.flatMap(({ entries }) => entries.map(({ key }) => key))).toEqual(
    expect.arrayContaining(['variable x', 'bind known ["direct","/work","a"]']),
  )
})
