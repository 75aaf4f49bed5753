import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type DirectSession, openDirect } from '../../../../mirror-model/direct-session.ts'
import { contentsOf } from '../../../host-files/scratch.ts'

interface Mirrored extends DirectSession {
  readonly root: string
  /** Runs a command, and tells whether the sandbox was listed whole after it. */
  listsAll(command: string, scope?: { cwd: string }): Promise<boolean>
  /** What is on the host, but for `far`. */
  contents(): Record<string, string>
}

/** A session with the files `a` and `d/f`, a directory `far` and a link `l` to `d`. */
async function mirrored(exclude: readonly string[] = []): Promise<Mirrored> {
  const root = mkdtempSync(`${tmpdir()}/mirror-reach-`)
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const directory of ['d', 'far']) mkdirSync(`${root}/${directory}`)
  for (const file of ['a', 'd/f', 'far/f']) writeFileSync(`${root}/${file}`, 'at open')
  symlinkSync('d', `${root}/l`)
  const session = await openDirect(root, { exclude: [...exclude] })
  const asked = vi.spyOn(session.shell, 'run')
  let calls = 1_000_000
  return {
    ...session,
    root,
    listsAll: async (command, scope) => {
      asked.mockClear()
      calls += 1
      const outcome = await session.service.run(calls, { command, ...(scope && { scope }) })
      expect(outcome).toMatchObject({ ok: true, value: { exitCode: 0, stderr: '' } })
      return asked.mock.calls.some(([text]) => text.includes("'/work/far'"))
    },
    contents: () => {
      const { far, 'far/f': f, ...rest } = contentsOf(root)
      expect([far, f]).toEqual(['/', 'at open'])
      return Object.fromEntries(Object.entries(rest).filter(([path]) => !path.startsWith('l')))
    },
  }
}

const open = { a: 'at open', d: '/', 'd/f': 'at open' }

describe('what a command tells to change is looked at alone, and is on the host', () => {
  it.each([
    ['printf 1 > /work/a', { a: '1' }],
    ['printf 1 >> /work/d/f', { 'd/f': 'at open1' }],
    ['printf 1 > /work/new; cd /work; printf 2 > /work/d/new', { new: '1', 'd/new': '2' }],
    ['cd /work; printf 1 > a', { a: '1' }],
    ['cd /work/d && printf 1 > ./f', { 'd/f': '1' }],
    ['cd /; printf 1 > work//a', { a: '1' }],
    ['mkdir -p /work/p/q/r && printf 1 > /work/p/q/f', { p: '/', 'p/q': '/', 'p/q/r': '/', 'p/q/f': '1' }],
    ['rm -r /work/d', { d: undefined, 'd/f': undefined }],
    ['rm -r /work/d; printf 1 > /work/d', { d: '1', 'd/f': undefined }],
    ['cp /work/a /work/d', { 'd/a': 'at open' }],
    ['cp /work/a /work/b; rm /work/a', { a: undefined, b: 'at open' }],
    ["sed -i 's/at/AT/' /work/d/f", { 'd/f': 'AT open' }],
    ['printf 1 | tee /work/b > /work/c', { b: '1', c: '1' }],
    ["cat > '/work/a b' << 'E'\ntext\nE", { 'a b': 'text\n' }],
    ['false || { echo a > /tmp/elsewhere; touch /work/t; }', { t: '' }],
    ['false && printf 1 > /work/a; true', {}],
  ])('%j', async (command, changed) => {
    const { listsAll, contents, run } = await mirrored()
    expect(await listsAll(command)).toBe(false)
    const expected = Object.fromEntries(
      Object.entries({ ...open, ...changed }).filter(([, content]) => content !== undefined),
    )
    expect(contents()).toEqual(expected)
    // A look at everything finds nothing more.
    await run('nosuch; true')
    expect(contents()).toEqual(expected)
  })

  it('from the directory of the call', async () => {
    const { listsAll, contents, run } = await mirrored()
    expect(await listsAll('printf 1 > f', { cwd: '/work/d' })).toBe(false)
    expect(contents()).toEqual({ ...open, 'd/f': '1' })
    await run('cd /')
    expect(await listsAll('printf 2 > f', { cwd: 'work/d' })).toBe(true)
  })

  it('from the directory of the session', async () => {
    const { listsAll, contents, run } = await mirrored()
    await run('cd /work/d')
    expect(await listsAll('printf 1 > f; printf 2 > g')).toBe(false)
    expect(contents()).toEqual({ ...open, 'd/f': '1', 'd/g': '2' })
  })

  it('with the permission bits', async () => {
    const { listsAll, root, service } = await mirrored()
    expect(await listsAll('chmod 600 /work/a; chmod 700 /work/d')).toBe(false)
    expect(await service.changes(1, undefined)).toMatchObject({
      value: { changes: [{ path: '/work/a' }, { path: '/work/d' }] },
    })
    expect(readFileSync(`${root}/a`, 'utf8')).toBe('at open')
  })

  it('after a command of which nothing is known, and before the next', async () => {
    const { listsAll, contents } = await mirrored()
    expect(await listsAll('nosuch=/work/a; x=printf; $x 1 > $nosuch')).toBe(true)
    expect(await listsAll('printf 2 > /work/d/f')).toBe(true)
    expect(contents()).toEqual({ ...open, a: '1', 'd/f': '2' })
  })
})

describe('everything is looked at where the paths of a text may lead anywhere', () => {
  it.each([
    ['printf 1 > /work/l/f', { 'd/f': '1' }],
    ['cd /work/l; printf 1 > f', { 'd/f': '1' }],
    ['printf 1 > /tmp/link/f', { 'd/f': '1' }],
    ['cd /work/far; printf 1 > ../a', { a: '1' }],
    ['cd /work; cd d; printf 1 > f', { 'd/f': '1' }],
    ['mv /work/d/f /work/a; printf 1 > /work/d/f', { 'd/f': '1' }],
    ['rm /work/a; mkdir /work/a; printf 1 > /work/a/b', { a: '/', 'a/b': '1' }],
    ['touch /work/$nothing/d/f; printf 1 > /work/a', { a: '1' }],
    ['rm -r /work/d; mkdir /work/d', { 'd/f': undefined }],
    ['printf 1 > /work/a & wait', { a: '1' }],
  ])('%j', async (command, changed) => {
    const { listsAll, contents, run } = await mirrored()
    await run('ln -s /work/d /tmp/link')
    expect(await listsAll(command)).toBe(true)
    expect(contents()).toEqual(
      Object.fromEntries(
        Object.entries({ ...open, ...changed }).filter(([, content]) => content !== undefined),
      ),
    )
  })
})

describe('excluded paths', () => {
  it('stay on their side, with the new directories that lead to them on both', async () => {
    const { listsAll, contents } = await mirrored(['build/', '*.log'])
    expect(await listsAll('mkdir -p /work/p/build/q; echo 1 > /work/p/build/f; echo 1 > /work/p/x.log')).toBe(
      false,
    )
    expect(contents()).toEqual({ ...open, p: '/' })
    expect(await listsAll('rm -r /work/p/build; printf 1 > /work/p/build')).toBe(false)
    expect(contents()).toEqual({ ...open, p: '/', 'p/build': '1' })
  })

  it('may be links that lead to others', async () => {
    const { listsAll, contents, run, service } = await mirrored(['x', '!x/'])
    await run('ln -s /work/d /work/x')
    expect(await listsAll('printf 1 > /work/x/f')).toBe(true)
    expect(contents()).toEqual({ ...open, 'd/f': '1' })
    expect(await service.writeFile(1, '/work/x/f', new Uint8Array([50]))).toMatchObject({ ok: true })
    expect(contents()).toEqual({ ...open, 'd/f': '2' })
  })

  it('are told from a file of the name of an excluded directory', async () => {
    const { contents, service } = await mirrored(['build/'])
    expect(await service.writeFile(1, '/work/build', new Uint8Array([49]))).toMatchObject({ ok: true })
    expect(contents()).toEqual({ ...open, build: '1' })
  })
})
