import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BindRecord } from '../../../../src/contract/shell-record.ts'
import type { EngineShell } from '../../../../worker/service/engine-shell.ts'
import { contentsOf, modeOf, Scratch } from '../../host-files/scratch.ts'
import { freshLimits, openShell, run } from './open-shell.ts'

type Mode = 'direct' | 'copy'

function scratch(): Scratch {
  const made = new Scratch('/tmp')
  onTestFinished(() => made[Symbol.dispose]())
  return made
}

function bind(source: string, destination: string, more: Partial<BindRecord> = {}): BindRecord {
  return { source, destination, mode: 'direct', readonly: false, ...more }
}

/** What one command prints; standard error after a line of dashes. */
async function said(shell: EngineShell, command: string): Promise<string> {
  const [, stdout, stderr] = await run(shell, command)
  return stderr === '' ? stdout : `${stdout}---\n${stderr}`
}

async function changesOf(shell: EngineShell, since?: string): Promise<string[]> {
  const outcome = await shell.changes?.(since)
  if (!outcome?.ok) throw new Error('no changes')
  return outcome.value.changes.map(({ path, kind, change }) => `${change} ${kind} ${path}`)
}

describe.each<Mode>(['direct', 'copy'])('a %s bind', (mode) => {
  async function open(more: Partial<BindRecord> = {}) {
    const host = scratch()
    host.file('a', 'hello\n')
    host.file('sub/b', 'B\n')
    host.link('ln', 'sub')
    host.link('abs', `${host.outside}/secret`)
    host.link('rel', '../outside/secret')
    writeFileSync(`${host.outside}/secret`, 'secret\n')
    const shell = await openShell({ binds: [bind(host.bind, '/work', { mode, ...more })] })
    return { host, shell }
  }

  it('shows the host’s files, and no links that lead out', async () => {
    const { host, shell } = await open()
    chmodSync(host.at('a'), 0o751)
    expect(await said(shell, 'cd /work && ls && cat a ln/b && stat -c "%a %s %F" a sub')).toBe(
      'a\nln\nsub\nhello\nB\n751 6 regular file\n755 4096 directory\n',
    )
    expect(await said(shell, 'cd ln; pwd; pwd -P; cat ../abs rel 2>/dev/null || echo none')).toBe(
      '/work/ln\n/work/sub\nnone\n',
    )
    expect(await said(shell, 'find /work | sort; echo /work/*; ls -d /work; [ -d /work ] && echo yes')).toBe(
      '/work\n/work/a\n/work/ln\n/work/sub\n/work/sub/b\n/work/a /work/ln /work/sub\n/work\nyes\n',
    )
    expect(await said(shell, 'date -u -r /work/a +%s')).toBe(
      `${Math.floor(lstatSync(host.at('a')).mtimeMs / 1000)}\n`,
    )
  })

  it('follows a link that came in the place of a directory or of one above it', async () => {
    const { host, shell } = await open()
    host.file('d/e/f', 'old\n')
    host.file('other/f', 'new\n')
    host.file('tree/e/f', 'newer\n')
    expect(await said(shell, 'cat /work/d/e/f')).toBe('old\n')
    expect(await said(shell, 'cd /work/d && rm -r e && ln -s ../other e && cat e/f /work/d/e/f')).toBe(
      'new\nnew\n',
    )
    expect(await said(shell, 'cd /work && mv d was && ln -s tree d && cat d/e/f; grep -rc ew . | sort')).toBe(
      'newer\n./a:0\n./other/f:1\n./sub/b:0\n./tree/e/f:1\n',
    )
    expect(await said(shell, 'cd /work && grep -R new was d/e')).toBe(
      'd/e/f:newer\n---\ngrep: was/e: links to directories are not followed here\n',
    )
  })

  it('follows a link that the host put in the place of a directory', async () => {
    const { host, shell } = await open()
    host.file('other/b', 'new\n')
    expect(await said(shell, 'cd /work/sub && cat b && echo mine > own && cat own')).toBe('B\nmine\n')
    rmSync(host.at('sub'), { recursive: true })
    host.link('sub', 'other')
    expect(await said(shell, 'cat /work/sub/b; grep -r new /work')).toBe('new\n/work/other/b:new\n')
    expect(await said(shell, 'test -e /work/sub/own || echo none')).toBe('none\n')
  })

  it('takes writes, appends, directories, links and removals', async () => {
    const { shell } = await open()
    await said(
      shell,
      'cd /work; echo new > n; echo more >> a; mkdir -p x/y; echo z > x/y/z; ln -s a good; rm sub/b',
    )
    await said(shell, 'cd /work; rmdir sub; rm ln; mv x w; cp a copy; sed -i s/hello/bye/ a; chmod 700 n')
    expect(await said(shell, 'cd /work; find . | sort; cat a copy good w/y/z; stat -c %a n')).toBe(
      '.\n./a\n./copy\n./good\n./n\n./w\n./w/y\n./w/y/z\nbye\nmore\nhello\nmore\nbye\nmore\nz\n700\n',
    )
    expect(await changesOf(shell)).toEqual([
      'changed file /work/a',
      'added file /work/copy',
      'added link /work/good',
      'removed link /work/ln',
      'added file /work/n',
      'removed directory /work/sub',
      'removed file /work/sub/b',
      'added directory /work/w',
      'added directory /work/w/y',
      'added file /work/w/y/z',
    ])
  })

  it('moves and copies to and from memory, with modes and times', async () => {
    const { shell } = await open()
    await said(
      shell,
      'chmod 750 /work/a; touch -d 2001-02-03T04:05:06Z /work/a; mv /work/a /tmp/a; cp -r /work/sub /tmp/s',
    )
    expect(await said(shell, 'cat /tmp/a /tmp/s/b; stat -c %a /tmp/a; date -u -r /tmp/a +%Y; ls /work')).toBe(
      'hello\nB\n750\n2001\nln\nsub\n',
    )
    await said(shell, 'mv /tmp/a /tmp/s /work/sub; ln -s /work/sub /tmp/l; tar czf /tmp/t.tgz -C /work sub')
    expect(
      await said(shell, 'cd /tmp/l; cat s/b; pwd -P; echo x > /tmp/l/x; ls; tar tzf /tmp/t.tgz | sort'),
    ).toBe('B\n/work/sub\na\nb\ns\nx\nsub/\nsub/a\nsub/b\nsub/s/\nsub/s/b\n')
    expect(await said(shell, 'mkdir /work/un && tar xzf /tmp/t.tgz -C /work/un && cat /work/un/sub/a')).toBe(
      'hello\n',
    )
  })

  it('runs scripts, and serves descriptors and loops', async () => {
    const { shell } = await open()
    await said(shell, `printf '#!/bin/bash\\necho "ran $1"\\n' > /work/s.sh; chmod +x /work/s.sh`)
    expect(await said(shell, 'cd /work; ./s.sh 1; /work/s.sh 2; bash s.sh 3; . ./s.sh 4')).toBe(
      'ran 1\nran 2\nran 3\nran 4\n',
    )
    expect(
      await said(
        shell,
        'cd /work; exec 3>fd; echo one >&3; echo two >&3; exec 3>&-; while read -r x; do echo "<$x>"; done < fd',
      ),
    ).toBe('<one>\n<two>\n')
    expect(await said(shell, 'cd /work; for i in 1 2 3; do echo $i >> log; done; wc -l < log')).toBe('3\n')
  })

  it('is not moved or removed itself', async () => {
    const { shell } = await open()
    for (const command of ['rm -rf /work', 'rmdir /work', 'mv /work /tmp/w', 'mv /work /gone'])
      expect((await run(shell, command))[0], command).toBe(1)
    expect(await said(shell, 'rm -rf /work/*; ls /work; ls -d /work')).toBe('/work\n')
  })

  it('answers the calls for files', async () => {
    const { shell } = await open()
    const text = async (path: string) => {
      const outcome = await shell.readFile(path)
      return outcome.ok ? Buffer.from(outcome.value).toString() : outcome.error.code
    }
    await shell.writeFile('/work/new/dir/f', new Uint8Array(Buffer.from('F')))
    await shell.removeFile('/work/a', false)
    expect(await Promise.all(['/work/new/dir/f', '/work/ln/b', '/work/a', '/work/abs'].map(text))).toEqual([
      'F',
      'B\n',
      'PATH_NOT_FOUND',
      'PATH_NOT_FOUND',
    ])
    expect(await shell.listFiles('/work/sub')).toEqual({
      ok: true,
      value: [{ name: 'b', isDir: false, size: 2 }],
    })
    expect(await shell.stat?.('/work/ln')).toMatchObject({ ok: true, value: { kind: 'link' } })
    expect(await shell.stat?.('/work/sub/b')).toMatchObject({
      ok: true,
      value: { kind: 'file', size: 2, mode: 0o644 },
    })
  })

  it('answers the calls for whole files and directories', async () => {
    const { shell } = await open()
    const done = { ok: true, value: null }
    expect(await shell.makeDirectory?.('/work/new/dir')).toEqual(done)
    expect(await shell.appendFile?.('/work/new/dir/f', new Uint8Array(Buffer.from('F\n')))).toEqual(done)
    expect(await shell.copy?.('/work/new', '/tmp/copy')).toEqual(done)
    expect(await shell.move?.('/work/new/dir', '/work/sub/dir')).toEqual(done)
    expect(await shell.move?.('/tmp/copy/dir', '/work/new/back')).toEqual(done)
    expect(await said(shell, 'cat /work/sub/dir/f /work/new/back/f; ls /tmp/copy')).toBe('F\nF\n')
    expect(await shell.removeFile('/work/new', true)).toEqual(done)
    expect(await said(shell, '[ -e /work/new ] || echo gone')).toBe('gone\n')
    for (const refused of [shell.move?.('/work', '/tmp/w'), shell.removeFile('/work', true)])
      expect(await refused).toMatchObject({ ok: false, error: { code: 'IO_ERROR' } })
  })

  it('keeps excluded paths of both sides apart', async () => {
    const { host, shell } = await open({ exclude: ['node_modules/', '*.log'] })
    host.file('node_modules/m', 'm')
    host.file('sub/x.log', 'log')
    expect(
      await said(shell, 'cd /work; find . | sort; cat sub/x.log 2>/dev/null; rm -r sub 2>/dev/null; ls'),
    ).toBe(
      mode === 'direct'
        ? '.\n./a\n./ln\n./sub\n./sub/b\na\nln\nsub\n'
        : '.\n./a\n./ln\n./sub\n./sub/b\na\nln\n',
    )
    const [status] = await run(shell, 'cd /work; echo own > own.log && cat own.log')
    expect(status).toBe(mode === 'direct' ? 1 : 0)
    expect(await changesOf(shell)).toEqual([
      ...(mode === 'direct' ? [] : ['removed directory /work/sub']),
      'removed file /work/sub/b',
    ])
    expect(contentsOf(host.at('node_modules'))).toEqual({ m: 'm' })
  })

  it('tells changes since a mark, and refuses a mark of another session', async () => {
    const { shell } = await open()
    await said(shell, 'echo 1 > /work/one')
    const first = await shell.changes?.(undefined)
    const mark = first?.ok ? first.value.mark : ''
    await said(shell, 'echo 2 > /work/two; rm /work/one')
    expect(await changesOf(shell, mark)).toEqual(['removed file /work/one', 'added file /work/two'])
    expect(await changesOf(shell)).toEqual(['added file /work/two'])
    await expect((await open()).shell.changes?.(mark)).rejects.toMatchObject({ data: { field: 'since' } })
  })

  it('never opens a FIFO', async () => {
    const { host, shell } = await open()
    execFileSync('mkfifo', [host.at('fifo')])
    expect((await run(shell, 'cat /work/fifo'))[0]).toBe(1)
    expect(
      (await run(shell, 'cat < /work/fifo; grep -r x /work; find /work -type f | xargs cat > /dev/null'))[2],
    ).toBe('bash: /work/fifo: No such file or directory\n')
    if (mode === 'direct') expect((await run(shell, 'echo x > /work/fifo'))[0]).toBe(1)
    expect(lstatSync(host.at('fifo')).isFIFO()).toBe(true)
  })
})

describe('a direct bind', () => {
  it('is the host’s directory at every moment', async () => {
    const host = scratch()
    const shell = await openShell({ binds: [bind(host.bind, '/work')], umask: 0o027 })
    await said(shell, 'cd /work; echo 1 > f; mkdir d; echo 2 >> f')
    expect([host.contents(), modeOf(host.at('f')), modeOf(host.at('d'))]).toEqual([
      { d: '/', f: '1\n2\n' },
      '640',
      '750',
    ])
    host.file('f', 'theirs\n')
    expect(await said(shell, 'cat /work/f')).toBe('theirs\n')
    rmSync(host.bind, { recursive: true })
    expect((await run(shell, 'cat /work/f'))[2]).toMatch(/Stale file handle|No such file/)
    expect(await shell.readFile('/work/f')).toMatchObject({ ok: false, error: { code: 'IO_ERROR' } })
    mkdirSync(host.bind)
    expect(await said(shell, 'echo back > /work/f; cat /work/f')).toBe('back\n')
  })

  it('refuses links that would lead out on the host', async () => {
    const host = scratch()
    const shell = await openShell({ binds: [bind(host.bind, '/work')] })
    for (const target of ['/work/a', '/etc/passwd', '../x', 'd/../../x'])
      expect((await run(shell, `ln -s ${target} /work/l`))[0], target).toBe(1)
    expect(host.contents()).toEqual({})
  })

  it('is read-only where the config says so, in the words of bash, and the script goes on', async () => {
    const host = scratch()
    host.file('f', 'f\n')
    const shell = await openShell({ binds: [bind(host.bind, '/ro', { readonly: true })] })
    expect(await run(shell, 'echo x > /ro/f; echo "$?"; echo x >> /ro/n; echo "$?"')).toEqual([
      0,
      '1\n1\n',
      'bash: /ro/f: Read-only file system\nbash: /ro/n: Read-only file system\n',
    ])
    expect(await said(shell, 'touch /ro/n; mkdir /ro/d; rm /ro/f; cat /ro/f')).toBe(
      "f\n---\ntouch: cannot touch '/ro/n': Read-only file system\nmkdir: cannot create directory '/ro/d': Read-only file system\nrm: cannot remove '/ro/f': Read-only file system\n",
    )
    for (const command of [
      'mv /ro/f /ro/g',
      'cp /ro/f /ro/g',
      'ln -s f /ro/g',
      'chmod 7 /ro/f',
      'sed -i s/f/g/ /ro/f',
      'ln /ro/f /ro/g',
    ])
      expect((await run(shell, command))[0], command).not.toBe(0)
    expect(await shell.writeFile('/ro/f', new Uint8Array(1))).toMatchObject({
      error: { code: 'PERMISSION_DENIED' },
    })
    expect([host.contents(), await changesOf(shell)]).toEqual([{ f: 'f\n' }, []])
  })

  it('may lie inside another, at a place that the outer one lacks, and be a single file', async () => {
    const [outer, inner] = [scratch(), scratch()]
    outer.file('f', 'outer\n')
    inner.file('g', 'inner\n')
    const shell = await openShell({
      binds: [
        bind(outer.bind, '/work'),
        bind(inner.bind, '/work/deep/in'),
        bind(inner.at('g'), '/work/g', { readonly: true }),
      ],
    })
    expect(await said(shell, 'find /work | sort; cat /work/f /work/g /work/deep/in/g')).toBe(
      '/work\n/work/deep\n/work/deep/in\n/work/deep/in/g\n/work/f\n/work/g\nouter\ninner\ninner\n',
    )
    await said(shell, 'echo x > /work/deep/in/x; mv /work/f /work/deep/in/; rm -rf /work/deep /work/*')
    expect([outer.contents(), inner.contents()]).toEqual([{}, { f: 'outer\n', g: 'inner\n', x: 'x\n' }])
  })

  it('has no files larger than the bounds', async () => {
    const host = scratch()
    host.file('big', 'x'.repeat(2000))
    const shell = await openShell({
      binds: [bind(host.bind, '/work')],
      limits: { ...freshLimits, maxFileSize: 1000 },
    })
    expect(
      await said(shell, 'cp /work/big /tmp/b; head -c 2000 /dev/zero > /work/z; echo "$?"; ls -s /work/z'),
    ).toMatch(/File too large/)
    expect(await shell.readFile('/work/big')).toMatchObject({ error: { code: 'LIMIT_EXCEEDED' } })
  })

  it('writes nothing after the session was closed', async () => {
    const host = scratch()
    const shell = await openShell({ binds: [bind(host.bind, '/work')] })
    shell.close()
    await shell.run({ command: 'echo x > /work/f' })
    expect(host.contents()).toEqual({})
  })
})

describe('a copy', () => {
  async function open(files: Readonly<Record<string, string>>, maxFileSystem = freshLimits.maxFileSystem) {
    const host = scratch()
    for (const [name, text] of Object.entries(files)) host.file(name, text)
    const shell = await openShell({
      binds: [bind(host.bind, '/work', { mode: 'copy' })],
      limits: { ...freshLimits, maxFileSystem },
    })
    return { host, shell }
  }

  const apply = async (shell: EngineShell, paths?: string[]) => {
    const outcome = await shell.applyChanges?.({ bind: '/work', ...(paths === undefined ? {} : { paths }) })
    return outcome?.ok ? outcome.value : outcome
  }

  it('leaves the host alone until its changes are applied, all or some', async () => {
    const { host, shell } = await open({ a: 'a\n', 'd/b': 'b\n', gone: 'g' })
    chmodSync(host.at('a'), 0o700)
    await said(
      shell,
      'cd /work; echo more >> a; mv d e; rm gone; ln -s a l; ln -s /work/a abs; chmod 600 e/b; mkdir n',
    )
    expect(host.contents()).toEqual({ a: 'a\n', d: '/', 'd/b': 'b\n', gone: 'g' })
    expect(await shell.describe()).toMatchObject({
      value: { skipped: [{ bind: '/work', path: '/work/abs', reason: 'link that leads out' }] },
    })
    expect(await apply(shell, ['/work/e/b', '/work/gone'])).toEqual({
      written: ['/work/e', '/work/e/b'],
      removed: ['/work/gone'],
      conflicts: [],
    })
    expect(host.contents()).toEqual({ a: 'a\n', d: '/', 'd/b': 'b\n', e: '/', 'e/b': 'b\n' })
    await apply(shell)
    expect(host.contents()).toEqual({ a: 'a\nmore\n', e: '/', 'e/b': 'b\n', l: '-> a', n: '/' })
    expect([modeOf(host.at('a')), modeOf(host.at('e/b'))]).toEqual(['700', '600'])
    expect(await apply(shell)).toEqual({ written: [], removed: [], conflicts: [] })
  })

  it('keeps the host’s version beside its own where the host changed what the sandbox read', async () => {
    const { host, shell } = await open({ read: '1', unread: '1', removed: '1', same: '1', 'd/x': '1' })
    await said(shell, 'cd /work; cat read same d/x; echo 2 > same')
    host.file('read', 'theirs')
    host.file('unread', 'theirs')
    await said(shell, 'cd /work; echo ours > read; echo ours > unread; rm removed; rm -r d')
    host.file('removed', 'theirs')
    host.file('d/new', 'theirs')
    host.file('same', '2\n')
    expect(await apply(shell)).toMatchObject({
      conflicts: [
        { path: '/work/removed', kept: '/work/removed.host-conflict' },
        { path: '/work/read', hostPath: host.at('read'), kept: '/work/read.host-conflict' },
      ],
    })
    expect(host.contents()).toEqual({
      d: '/',
      'd/new': 'theirs',
      read: 'ours\n',
      'read.host-conflict': 'theirs',
      'removed.host-conflict': 'theirs',
      same: '2\n',
      unread: 'ours\n',
    })
  })

  it('tells what the host refuses, and applies it later', async () => {
    const { host, shell } = await open({})
    await said(shell, 'echo f > /work/f')
    execFileSync('mkfifo', [host.at('f')])
    expect(await apply(shell)).toMatchObject({
      ok: false,
      error: {
        code: 'MIRROR_FAILED',
        mirror: { pending: [{ path: '/work/f', reason: 'the host has a FIFO there' }] },
      },
    })
    rmSync(host.at('f'))
    expect(await apply(shell)).toMatchObject({ written: ['/work/f'] })
  })

  it('shows nothing of the host in what it made anew in the place of the host’s', async () => {
    const { host, shell } = await open({ 'd/x': 'x', 'f/y': 'y' })
    await said(shell, 'cd /work; rm -r d f; mkdir d; echo file > f')
    host.file('d/later', 'later')
    expect(await said(shell, 'cd /work; find . | sort; cat f d/x 2>/dev/null')).toBe('.\n./d\n./f\nfile\n')
    expect(await changesOf(shell)).toEqual(
      [
        'removed file /work/d/x',
        'changed file /work/f',
        'removed file /work/f/y',
        'changed directory /work/d',
      ].sort((a, b) => ((a.split(' ')[2] ?? '') < (b.split(' ')[2] ?? '') ? -1 : 1)),
    )
    await apply(shell)
    expect(host.contents()).toEqual({ d: '/', 'd/later': 'later', f: 'file\n' })
  })

  it('counts to maxFileSystem, and gives room back', async () => {
    const mebibyte = 2 ** 20
    const { shell } = await open({ big: 'x'.repeat(mebibyte) }, 2 * mebibyte)
    expect(await run(shell, 'cd /work; cp big one; cp big two; echo "$?"; ls')).toEqual([
      0,
      expect.stringMatching(/^1\nbig\none\n/),
      expect.stringContaining('No space left on device'),
    ])
    expect(
      (await run(shell, 'cp /work/big /tmp/f; rm -f /work/one /work/two /tmp/f; cp /work/big /tmp/f'))[0],
    ).toBe(0)
  })

  it('refuses what is no copy, and paths outside', async () => {
    const host = scratch()
    const shell = await openShell({
      binds: [bind(host.bind, '/live'), bind(host.bind, '/copy', { mode: 'copy' })],
    })
    const refused = (request: { bind: string; paths?: string[] }) => shell.applyChanges?.(request)
    await expect(refused({ bind: '/live' })).rejects.toMatchObject({ data: { field: 'bind' } })
    await expect(refused({ bind: '/none' })).rejects.toMatchObject({ data: { field: 'bind' } })
    await expect(refused({ bind: '/copy', paths: ['/live/x'] })).rejects.toMatchObject({
      data: { field: 'paths' },
    })
  })
})

it('refuses a source that does not exist', async () => {
  await expect(openShell({ binds: [bind('/no/such/directory', '/work')] })).rejects.toMatchObject({
    data: { code: 'INVALID_CONFIG', field: 'binds[0].source' },
  })
})
