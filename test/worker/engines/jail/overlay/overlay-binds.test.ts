import { readdirSync, realpathSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { Scratch } from '../../../host-files/scratch.ts'
import { noJail } from '../bare-jail.ts'
import { OverlayJail } from './jail.ts'

const parent = realpathSync(tmpdir())

/** A jail over a directory with `a`, `d/x`, `d/y` and `d/e/z`, and paths to be excluded. */
async function opened(exclude?: readonly string[]) {
  const scratch = new Scratch(parent)
  for (const rel of ['a', 'd/x', 'd/y', 'd/e/z']) scratch.file(rel)
  if (exclude !== undefined) for (const rel of ['.env', 'd/skip.log', 'modules/m/i']) scratch.file(rel)
  const jail = await OverlayJail.open(scratch, [exclude === undefined ? {} : { exclude }])
  return {
    scratch,
    jail,
    apply: async (...paths: string[]) => {
      const outcome = await jail.binds.applyChanges({ bind: '/work', ...(paths.length > 0 && { paths }) })
      if (!outcome.ok) throw new Error(outcome.error.message)
      return outcome.value
    },
    async [Symbol.asyncDispose]() {
      await jail[Symbol.asyncDispose]()
      scratch[Symbol.dispose]()
    },
  }
}

const nothing = { written: [], removed: [], conflicts: [] }

describe.skipIf(noJail !== undefined)(`overlay binds${noJail === undefined ? '' : `: ${noJail}`}`, () => {
  it('leave the host as it is until changes are applied', async () => {
    await using open = await opened()
    const { scratch, jail } = open
    const before = scratch.contents()
    const output = await jail.run(
      'cat a; echo more >> a; rm d/x; mkdir n; echo 1 > n/f; ln -s f n/l; chmod 700 d/y; stat -c %u:%A a',
    )
    expect(output).toBe('a1000:-rw-r--r--\n')
    expect(await jail.changes()).toEqual([
      'changed file /work/a',
      'removed file /work/d/x',
      'changed file /work/d/y',
      'added directory /work/n',
      'added file /work/n/f',
      'added link /work/n/l',
    ])
    expect(scratch.contents()).toEqual(before)
    const { written, ...rest } = await open.apply()
    expect(rest).toEqual({ removed: ['/work/d/x'], conflicts: [] })
    expect(written.toSorted()).toEqual(['/work/a', '/work/d/y', '/work/n', '/work/n/f', '/work/n/l'])
    expect(scratch.contents()).toEqual({
      a: 'amore\n',
      d: '/',
      'd/e': '/',
      'd/e/z': 'd/e/z',
      'd/y': 'd/y',
      n: '/',
      'n/f': '1\n',
      'n/l': '-> f',
    })
    expect(statSync(scratch.at('d/y')).mode & 0o777).toBe(0o700)
    expect(await open.apply()).toEqual(nothing)
  })

  it('tell what came after a mark, and apply chosen paths', async () => {
    await using open = await opened()
    const { scratch, jail } = open
    await jail.run('echo 1 > n; echo 1 > o; touch a; chmod 600 d/x; chmod 644 d/x')
    const { mark, changes } = await jail.binds.changes(undefined)
    expect(changes.map(({ path }) => path)).toEqual(['/work/n', '/work/o'])
    await jail.run('rm n; echo 2 > o; echo 3 > d/e/z')
    expect(await jail.changes(mark)).toEqual([
      'changed file /work/d/e/z',
      'removed file /work/n',
      'changed file /work/o',
    ])
    expect(await jail.changes()).toEqual(['changed file /work/d/e/z', 'added file /work/o'])
    expect(await open.apply('/work/d')).toEqual({ ...nothing, written: ['/work/d/e/z'] })
    expect(scratch.contents()).not.toHaveProperty('o')
    await expect(jail.binds.changes('1:2')).rejects.toThrow('since must be a mark')
    await expect(jail.binds.applyChanges({ bind: '/x' })).rejects.toThrow('must be the destination of a copy')
  })

  it.each([
    {
      what: 'removed and made again',
      commands: 'rm -r d; mkdir d; echo n > d/n; echo x > d/x',
      changes: [
        'removed directory /work/d/e',
        'removed file /work/d/e/z',
        'added file /work/d/n',
        'changed file /work/d/x',
        'removed file /work/d/y',
      ],
      host: { a: 'a', d: '/', 'd/n': 'n\n', 'd/x': 'x\n' },
    },
    {
      what: 'moved',
      commands: 'mv d b',
      changes: [
        'added directory /work/b',
        'added directory /work/b/e',
        'added file /work/b/e/z',
        'added file /work/b/x',
        'added file /work/b/y',
        'removed directory /work/d',
        'removed directory /work/d/e',
        'removed file /work/d/e/z',
        'removed file /work/d/x',
        'removed file /work/d/y',
      ],
      host: { a: 'a', b: '/', 'b/e': '/', 'b/e/z': 'd/e/z', 'b/x': 'd/x', 'b/y': 'd/y' },
    },
    {
      what: 'replaced by a file',
      commands: 'rm -r d; echo f > d; rm a; mkdir a; echo 1 > a/1',
      changes: [
        'changed directory /work/a',
        'added file /work/a/1',
        'changed file /work/d',
        'removed directory /work/d/e',
        'removed file /work/d/e/z',
        'removed file /work/d/x',
        'removed file /work/d/y',
      ],
      host: { a: '/', 'a/1': '1\n', d: 'f\n' },
    },
  ])('carry a directory that was $what', async ({ commands, changes, host }) => {
    await using open = await opened()
    await open.jail.run(commands)
    expect(await open.jail.changes()).toEqual(changes)
    await open.apply()
    expect(open.scratch.contents()).toEqual(host)
    expect(await open.apply()).toEqual(nothing)
  })

  it('keep both versions of what the host changed since the jail began', async () => {
    await using open = await opened()
    const { scratch, jail } = open
    await jail.run('echo theirs > a; echo theirs > n; rm d/x; rm -r d/e; echo same > s')
    for (const rel of ['a', 'n', 'd/x', 'd/e/new']) scratch.file(rel, 'ours')
    scratch.file('s', 'same\n')
    const { conflicts } = await open.apply()
    expect(conflicts.map(({ path, kept }) => `${path} ${kept}`).toSorted()).toEqual([
      '/work/a /work/a.host-conflict',
      '/work/d/x /work/d/x.host-conflict',
      '/work/n /work/n.host-conflict',
    ])
    expect(scratch.contents()).toEqual({
      a: 'theirs\n',
      'a.host-conflict': 'ours',
      d: '/',
      'd/e': '/',
      'd/e/new': 'ours',
      'd/x.host-conflict': 'ours',
      'd/y': 'd/y',
      n: 'theirs\n',
      'n.host-conflict': 'ours',
      s: 'same\n',
    })
  })

  it('do not take for removed what the host adds and the sandbox does not see', async () => {
    await using open = await opened()
    const { scratch, jail } = open
    await jail.run('test -e d/later; echo 1 > d/own; ls d d/e; rm -r d/e; mkdir d/e')
    scratch.file('d/later')
    scratch.file('d/e/later')
    expect(await jail.changes()).toEqual(['removed file /work/d/e/z', 'added file /work/d/own'])
    await open.apply()
    expect(scratch.contents()).toMatchObject({
      'd/later': 'd/later',
      'd/e/later': 'd/e/later',
      'd/own': '1\n',
    })
  })

  it('do not remove what the host makes where a removal was applied', async () => {
    await using open = await opened()
    await open.jail.run('rm a; rm -r d')
    await open.apply()
    open.scratch.file('a', 'again')
    open.scratch.file('d/x', 'again')
    expect(await open.apply()).toEqual(nothing)
    expect(open.scratch.contents()).toEqual({ a: 'again', d: '/', 'd/x': 'again' })
  })

  it('hide excluded paths, and keep those of the sandbox from the host', async () => {
    await using open = await opened(['modules/', '.env', '*.log'])
    const { scratch, jail } = open
    expect(await jail.run('ls -A . d; ls -A modules; cat .env')).toMatch(
      /^\.:\na\nd\n\nd:\ne\nx\ny\nls: .*modules.*\ncat: \.env: No such file.*\nstatus 1$/,
    )
    await jail.run('mkdir modules; echo 1 > modules/own; echo 1 > .env; echo 1 > b.log; echo 1 > d/kept')
    expect(await jail.changes()).toEqual(['added file /work/d/kept'])
    await jail.run('rm -r d')
    await open.apply()
    expect(scratch.contents()).toMatchObject({
      '.env': '.env',
      'd/skip.log': 'd/skip.log',
      'modules/m/i': 'modules/m/i',
    })
    expect(scratch.contents()).not.toHaveProperty('d/x')
    expect(scratch.contents()).not.toHaveProperty('b.log')
  })

  it('follow no link of the sandbox, and leave out what is no file', async () => {
    await using open = await opened()
    const { scratch, jail } = open
    await jail.run(
      'ln -s /etc/passwd out; ln -s ../../outside up; rm -r d; ln -s ../outside d; mkfifo f; mkdir s; mkdir s/t; ln -s ../x s/t/u',
    )
    await open.apply()
    expect(scratch.contents()).toEqual({ a: 'a', d: '/', s: '/', 's/t': '/', 's/t/u': '-> ../x' })
    expect(
      jail.binds
        .skipped()
        .map(({ path, reason }) => `${path} ${reason}`)
        .toSorted(),
    ).toEqual([
      '/work/d link that leads out',
      '/work/f FIFO',
      '/work/out link that leads out',
      '/work/up link that leads out',
    ])
  })

  it('write nothing through a link that took the place of a directory of the host', async () => {
    await using open = await opened()
    const { scratch, jail } = open
    await jail.run('echo 1 > d/x')
    renameSync(scratch.at('d'), scratch.at('moved'))
    symlinkSync(scratch.outside, scratch.at('d'))
    await expect(open.apply()).rejects.toThrow("'/work/d/x' (the host has an unknown link there)")
    expect(readdirSync(scratch.outside)).toEqual([])
  })

  it('have a bound of their own, and end with their jail', async () => {
    await using open = await opened()
    expect(await open.jail.run('head -c 32M /dev/zero > big')).toMatch(/No space left on device\nstatus 1$/)
    expect(await open.jail.run('rm big; echo 1 > a')).toBe('')
    await open.jail[Symbol.asyncDispose]()
    expect(open.scratch.contents()).toMatchObject({ a: 'a' })
  })
})
