import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { clientOf, startService, temporaryDirectory, token } from './helpers.ts'

const run = promisify(execFile)

test('a directory goes down as a tar that tar reads, and one that tar wrote goes up', async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const command =
    'mkdir -p /tmp/d/sub; echo one > /tmp/d/one; printf x > "/tmp/d/sub/a b"; chmod 755 /tmp/d/one; ln -s one /tmp/d/link'
  await send('POST', '/v1/sandboxes/a/execute', { command })
  const down = await fetch(`${service.url}/v1/sandboxes/a/tar?path=/tmp/d`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'd.tar'), Buffer.from(await down.arrayBuffer()))
  await mkdir(join(directory, 'out'))
  await run('tar', ['-xf', 'd.tar', '-C', 'out'], { cwd: directory })
  expect(await readFile(join(directory, 'out/sub/a b'), 'utf8')).toBe('x')
  expect((await stat(join(directory, 'out/one'))).mode & 0o777).toBe(0o755)
  await run('ln', ['-s', '/etc/passwd', join(directory, 'out/evil')])
  await run('tar', ['-cf', 'up.tar', '-C', 'out', '.'], { cwd: directory })
  const up = await send('PUT', '/v1/sandboxes/a/tar?path=/tmp/e', await readFile(join(directory, 'up.tar')), {
    'content-type': 'application/x-tar',
  })
  expect(up.json).toEqual({ files: 2, directories: 1, skipped: ['evil'] })
  const { json } = await send('POST', '/v1/sandboxes/a/execute', {
    command: 'cd /tmp/e; cat one "sub/a b"; test -x one && ! test -x "sub/a b"; echo $?',
  })
  expect(json).toMatchObject({ stdout: 'one\nx0\n' })
})

test('a tar that leads out of its directory, or is none, is refused and nothing is written', async () => {
  const service = await startService()
  const send = clientOf(service)
  await send('PUT', '/v1/sandboxes/a', {})
  const directory = await temporaryDirectory()
  await writeFile(join(directory, 'x'), 'x')
  await run('tar', ['-cPf', 'up.tar', '--transform', 's,^x,../evil,', 'x'], { cwd: directory })
  const tar = await readFile(join(directory, 'up.tar'))
  const put = (body: Uint8Array) => send('PUT', '/v1/sandboxes/a/tar?path=/tmp/e', body)
  expect((await put(tar)).json).toMatchObject({ code: 'INVALID_REQUEST', field: 'body' })
  expect((await put(Buffer.from('no tar'.repeat(200)))).json).toMatchObject({ code: 'INVALID_REQUEST' })
  expect((await send('GET', '/v1/sandboxes/a/stat?path=/tmp/e')).json).toMatchObject({
    code: 'PATH_NOT_FOUND',
  })
})
