import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Outcome } from '../../../../../src/contract/shell-api.ts'
import { type DirectSession, openDirect } from '../../../../mirror-model/direct-session.ts'
import { contentsOf, modeOf } from '../../../host-files/scratch.ts'

const bounds = { maxFiles: 5000, maxBytes: 2 ** 26 }

/** A session that mirrors a directory with these files. */
async function mirrored(
  files: Readonly<Record<string, string>>,
  maxInodes?: number,
): Promise<DirectSession & { root: string }> {
  const root = mkdtempSync(`${tmpdir()}/mirror-steps-`)
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [rel, text] of Object.entries(files)) {
    mkdirSync(dirname(`${root}/${rel}`), { recursive: true })
    writeFileSync(`${root}/${rel}`, text)
  }
  return { root, ...(await openDirect(root, {}, bounds, maxInodes)) }
}

const done = {
  ok: true,
  value: {
    ...{ exitCode: 0, stdout: '', stderr: '' },
    ...{ timedOut: false, truncated: false, durationMs: expect.any(Number) },
  },
}

/** What a command answers that changed these paths of the host. */
const changing = (...changed: string[]) => ({ ok: true, value: { ...done.value, changed } })

describe('a command of the sandbox', () => {
  it('removes several directories at once, and keeps the content of the others', async () => {
    const { root, run } = await mirrored({ 'a/f': '1', 'b/f': '2', 'c/f': '3', 'd/e/f': '4' })
    expect(await run('rm -r /work/a /work/b')).toEqual(
      changing('/work/b/f', '/work/a/f', '/work/b', '/work/a'),
    )
    expect(contentsOf(root)).toEqual({ c: '/', 'c/f': '3', d: '/', 'd/e': '/', 'd/e/f': '4' })
  })

  it('moves a directory to the place of another with files of the same sizes', async () => {
    const { root, run } = await mirrored({ 'a/s/f': 'AAAA', 'b/s/f': 'BBBB', g: '1' })
    expect(await run('rm -r /work/b; mv /work/a /work/b')).toEqual(
      changing('/work/b/s/f', '/work/a/s/f', '/work/a/s', '/work/a'),
    )
    expect(contentsOf(root)).toEqual({ b: '/', 'b/s': '/', 'b/s/f': 'AAAA', g: '1' })
  })

  it('swaps two files, and two directories', async () => {
    const { root, run } = await mirrored({ 'a/f': 'AAAA', 'b/f': 'BBBB', x: 'XXXX', y: 'YYYY' })
    const swap = (a: string, b: string) =>
      `mv /work/${a} /work/t; mv /work/${b} /work/${a}; mv /work/t /work/${b}`
    expect(await run(swap('a', 'b'))).toEqual(changing('/work/b/f', '/work/a/f'))
    expect(await run(swap('x', 'y'))).toEqual(changing('/work/x', '/work/y'))
    expect(contentsOf(root)).toEqual({ a: '/', 'a/f': 'BBBB', b: '/', 'b/f': 'AAAA', x: 'YYYY', y: 'XXXX' })
  })

  it('does not change a link of the host whose text looks like an option', async () => {
    const { root, run } = await mirrored({ a: '1' })
    symlinkSync('-x', `${root}/l`)
    expect(await run('readlink /work/l')).toEqual({ ok: true, value: { ...done.value, stdout: '-x\n' } })
    expect(await run('echo 2 > /work/b')).toEqual(changing('/work/b'))
    expect(readlinkSync(`${root}/l`)).toBe('-x')
  })

  it('makes a new write-protected directory with content', async () => {
    const { root, run } = await mirrored({})
    expect(
      await run('mkdir -p /work/d/e; echo 1 > /work/d/e/f; chmod 555 /work/d/e; chmod 500 /work/d'),
    ).toEqual(changing('/work/d/e/f', '/work/d/e', '/work/d'))
    expect(contentsOf(root)).toEqual({ d: '/', 'd/e': '/', 'd/e/f': '1\n' })
    expect([modeOf(`${root}/d`), modeOf(`${root}/d/e`)]).toEqual(['500', '555'])
  })
})

describe('changes that neither a listing nor times show', () => {
  const row = '-rw-r--r--        1 Nov 22 03:19'

  it('finds a name with a line break that looks like two entries', async () => {
    const odd = `z\ndrwxr-xr-x        0 Nov 22 03:19 main`
    const { root, run } = await mirrored({ main: 'precious', [odd]: '' })
    for (const text of ['a', 'b'])
      expect(await run(`echo ${text} > /work/note`)).toEqual(changing('/work/note'))
    expect(contentsOf(root)).toEqual({ main: 'precious', [odd]: '', note: 'b\n' })
    expect(await run(`cd /work; rm 'z\ndrwxr-xr-x        0 Nov 22 03:19 main'`)).toEqual(
      changing(`/work/${odd}`),
    )
    expect(contentsOf(root)).toEqual({ main: 'precious', note: 'b\n' })
  })

  it('finds a new name that looks like two entries, between existing names', async () => {
    const { root, run } = await mirrored({ m: 'm', x: 'x' })
    expect(await run(`cd /work; printf hid > 'm\n${row} x'; mkdir 'd\n${row} y'`)).toEqual(
      changing(`/work/d\n${row} y`, `/work/m\n${row} x`),
    )
    expect(contentsOf(root)).toEqual({ m: 'm', x: 'x', [`m\n${row} x`]: 'hid', [`d\n${row} y`]: '/' })
  })

  it('finds a file that was written after the clock was set back', async () => {
    const { root, run } = await mirrored({ f: 'aa\n', g: 'aa\n' })
    expect(await run('echo bb > /work/f')).toEqual(changing('/work/f'))
    const now = Date.now
    onTestFinished(() => void vi.restoreAllMocks())
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 5_000)
    // The stamp is newer than what is written, as it is then.
    expect(await run('echo cc > /work/f; echo cc > /work/g; sleep 0.01; touch /dev/.mirror/0')).toEqual(
      changing('/work/f', '/work/g'),
    )
    expect(contentsOf(root)).toEqual({ f: 'cc\n', g: 'cc\n' })
  })
})

describe('a change of the host', () => {
  it('removes a directory that contains a write-protected one', async () => {
    const { root, run } = await mirrored({ 'a/b/f': '1', g: '2' })
    chmodSync(`${root}/a/b`, 0o555)
    expect(await run('true')).toEqual(done)
    rmSync(`${root}/a`, { recursive: true })
    expect(await run('ls /work')).toEqual({ ok: true, value: { ...done.value, stdout: 'g\n' } })
    expect(await run('echo 3 > /work/h')).toEqual(changing('/work/h'))
    expect(contentsOf(root)).toEqual({ g: '2', h: '3\n' })
  })

  it('keeps a new mode of the host and a new content of the sandbox', async () => {
    const { root, run, shell } = await mirrored({ a: 'old' })
    expect(await run('echo new > /work/a', () => chmodSync(`${root}/a`, 0o600))).toEqual(changing('/work/a'))
    expect(await run('true')).toEqual(done)
    expect([readFileSync(`${root}/a`, 'utf8'), modeOf(`${root}/a`)]).toEqual(['new\n', '600'])
    expect((await shell.run('ls -la /work/a')).stdout).toMatch(/^-rw------- /)
  })

  it('is a conflict when a file is written again with the same time right after it was read', async () => {
    const { root, run } = await mirrored({ a: '1' })
    const write = (text: string) => {
      writeFileSync(`${root}/a`, text)
      utimesSync(`${root}/a`, 1_700_000_000, 1_700_000_000)
    }
    for (const command of ['echo mine > /work/a', 'rm /work/a']) {
      write('host 1')
      expect(await run('true')).toEqual(done)
      const { conflicts } = await run(command, () => write('host 2'))
      expect(conflicts).toEqual([{ path: '/work/a', hostPath: `${root}/a`, kept: '/work/a.host-conflict' }])
      expect(readFileSync(`${root}/a.host-conflict`, 'utf8')).toBe('host 2')
      unlinkSync(`${root}/a.host-conflict`)
    }
  })

  it('is reported with its final path when it is kept in a directory that is itself moved', async () => {
    const { root, run } = await mirrored({ 'a/f': 'old' })
    const outcome = await run('rm -r /work/a; echo mine > /work/a', () =>
      writeFileSync(`${root}/a/f`, 'host'),
    )
    const kept = outcome.conflicts?.map((conflict) => conflict.kept)
    expect(kept).toEqual(['/work/a.host-conflict/f.host-conflict', '/work/a.host-conflict'])
    expect(contentsOf(root)).toEqual({
      a: 'mine\n',
      'a.host-conflict': '/',
      'a.host-conflict/f.host-conflict': 'host',
    })
  })

  it('replaces a directory by a file between file operations', async () => {
    const { root, run, service } = await mirrored({ 'd/f': '1' })
    rmSync(`${root}/d`, { recursive: true })
    writeFileSync(`${root}/d`, 'file')
    const read = await service.readFile(1, '/work/d')
    expect(read.ok && Buffer.from(read.value).toString()).toBe('file')
    expect(await run('cat /work/d; echo 2 > /work/e')).toEqual({
      ok: true,
      value: { ...done.value, stdout: 'file', changed: ['/work/e'] },
    })
    expect(contentsOf(root)).toEqual({ d: 'file', e: '2\n' })
  })

  it('adds a file to a bind whose root is write-protected in the sandbox', async () => {
    const { root, run } = await mirrored({})
    expect(await run('chmod 555 /work')).toEqual(done)
    writeFileSync(`${root}/new`, '1')
    expect(await run('cat /work/new')).toEqual({ ok: true, value: { ...done.value, stdout: '1' } })
  })

  it('removes and recreates a file that is bound by itself', async () => {
    const { root } = await mirrored({ f: 'one' })
    const session = await openDirect(`${root}/f`)
    unlinkSync(`${root}/f`)
    expect(await session.run('true')).toMatchObject({ ok: true })
    writeFileSync(`${root}/f`, 'two')
    expect(await session.run('cat /work')).toMatchObject({ ok: true, value: { stdout: 'two' } })
  })

  it('leaves the session usable when it puts a file where the sandbox has an excluded directory', async () => {
    const { root } = await mirrored({ f: 'one' })
    const session = await openDirect(root, { exclude: ['node_modules/'] })
    expect(await session.run('mkdir /work/node_modules; echo x > /work/node_modules/x')).toEqual(done)
    writeFileSync(`${root}/node_modules`, 'a file')
    const { stderr } = answered(await session.run('echo two > /work/f'))
    expect(stderr).toMatch(/not all that changed on the host is in '\/work'/)
    expect(contentsOf(root)).toEqual({ f: 'two\n', node_modules: 'a file' })
  })

  it('is not treated as a removal by the sandbox when the sandbox has no room for it', async () => {
    const { root, run } = await mirrored({}, 200)
    const fill = 'mkdir /tmp/f; i=0; while : > /tmp/f/$i; do i=$((i+1)); [ $i -gt 300 ] && break; done; true'
    await run(fill)
    mkdirSync(`${root}/d`)
    symlinkSync('d', `${root}/l`)
    for (let call = 0; call < 2; call++) {
      const { stderr } = answered(await run('true'))
      expect(stderr).toMatch(/not all that changed on the host is in '.*': the sandbox is full/)
    }
    expect(contentsOf(root)).toEqual({ d: '/', l: '-> d' })
    await run('rm -r /tmp/f')
    expect(answered(await run('[ -d /work/d ] && [ -L /work/l ] && echo there'))).toMatchObject({
      stdout: 'there\n',
      stderr: '',
    })
  })
})

function answered<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value
  throw new Error(outcome.error.message)
}
