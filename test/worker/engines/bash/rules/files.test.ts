import { basename, join } from 'node:path'
import { expect, it, onTestFinished, test } from 'vitest'
import type { CheckpointPart } from '../../../../../src/contract/checkpoint.ts'
import type { BindRecord } from '../../../../../src/contract/shell-record.ts'
import { MemoryVolume } from '../../../../../worker/engines/bash/files/memory-volume.ts'
import { MountedFiles } from '../../../../../worker/engines/bash/files/mounted-files.ts'
import { openMemory } from '../../../../../worker/engines/bash/files/open-memory.ts'
import { loadJustBash } from '../../../../../worker/engines/bash/load-just-bash.ts'
import { PathRules } from '../../../../../worker/engines/bash/rules/path-rules.ts'
import { Protection } from '../../../../../worker/engines/bash/rules/protection.ts'
import type { EngineShell } from '../../../../../worker/service/engine-shell.ts'
import { isFull } from '../../../../support/tier.ts'
import { contentsOf, Scratch } from '../../../host-files/scratch.ts'
import { bundle, freshLimits, run } from '../open-shell.ts'
import { file, openRuled, sentence } from './open-ruled.ts'

const rules = { protectedPaths: ['/work/.git'], writablePaths: ['/work/.git/out'] }

/** Each changes `.git`, or what is found at its path. */
const WAYS = [
  'echo x > .git/config',
  'echo x >> .git/config',
  'echo x >| .git/config',
  'echo x &> .git/config',
  'nosuch 2> .git/config',
  ': > .git/config',
  '> .git/config',
  '> .git/new',
  'exec 3> .git/new; echo x >&3',
  'exec > .git/new; echo x',
  'exec 3<> .git/config; echo x >&3',
  'exec {fd}> .git/new; echo x >&$fd',
  '{ echo x; } > .git/config',
  '(echo x) > .git/config',
  'for i in 1; do echo $i; done > .git/config',
  'while read l; do echo $l; done < a > .git/config',
  'if true; then echo x; fi > .git/config',
  'f() { echo x; } > .git/config; f',
  '[[ a ]] > .git/new',
  '((1)) > .git/new',
  'cat <<< x > .git/config',
  'x=$(echo x > .git/config)',
  'echo x > .git/config & wait',
  'cat <(echo x > .git/config)',
  'echo x > >(cat > .git/config)',
  "bash -c 'echo x > .git/config'",
  "echo a | xargs -I{} sh -c 'echo {} > .git/config'",
  "trap 'echo x > .git/config' EXIT",
  'echo x > ./.git/config',
  'echo x > /work/../work/.git/config',
  'echo x > .git/../.git/config',
  'echo x > .git/out/../config',
  'echo x > //work//.git//config',
  'cd .git; echo x > config',
  'cd .git/out; echo x > ../config',
  'ln -s .git l; echo x > l/config',
  'ln -s /work/.git/config l; echo x > l',
  'ln -s .git/new l; echo x > l',
  'ln -s . d; ln -s d/.git l; echo x > l/config',
  'ln -s .git l; cd l; echo x > config',
  'ln -s /work /w; echo x > /w/.git/config',
  'ln -s ../config .git/out/l; echo x > .git/out/l',
  'ln -s /work/.git /tmp/l; cd /tmp/l/out; echo x > ../config',
  'ln .git/config h; echo x > h',
  'ln a .git/h',
  'ln -s a .git/new',
  'ln -sf a .git/config',
  'ln -sfn sub .git',
  'touch .git/config',
  'touch .git/new',
  'touch -d 2001-01-01 .git/config',
  'touch -d 2001-01-01 .git',
  'ln -s .git/config l; touch -d 2001-01-01 l',
  'chmod 600 .git/config',
  'chmod -R 700 .git',
  'ln -s .git/config l; chmod 600 l',
  'mkdir .git/new',
  'mkdir -p .git/new/deep',
  'mkdir -p .git/new/../out/deep',
  'rm .git/config',
  'rm -f .git/config',
  'rm -rf .git',
  'rm -rf ../work',
  'cd /; rm -rf work',
  'ln -s .git l; rm -rf l/*',
  'rm -r .git/empty',
  'rmdir .git/empty',
  'mv .git x',
  'mv .git/config x',
  'mv a .git/config',
  'mv a .git',
  'mv sub .git',
  'cd /; mv work w',
  'cd /; mv work w; mkdir work; mkdir work/.git',
  'cd /; mv work w; ln -s /tmp work',
  'mkdir -p /tmp/work/.git; cd /; mv work w; mv /tmp/work /work',
  'cp a .git/config',
  'cp a .git',
  'cp -r sub .git',
  'cp -rT sub .git',
  'mkdir s; mkdir s/.git; echo x > s/.git/config; cp -r s/. .',
  'mkdir s; mkdir s/.git; echo x > s/.git/config; cp -r s /; cp -r /s/.git /work',
  'install a .git/new',
  'tee .git/config < a',
  'tee -a .git/config < a',
  'truncate -s 0 .git/config',
  'dd if=a of=.git/config',
  'sed -i s/./x/ .git/config',
  'sed -n "w .git/new" a',
  'awk \'{ print > ".git/config" }\' a',
  'awk \'{ print >> ".git/new" }\' a',
  'awk \'{ print | "cat > .git/config" }\' a',
  'sort -o .git/config a',
  'split a .git/x',
  'csplit -f .git/x a 1',
  'mktemp -p .git',
  'tar cf .git/t.tar a',
  'tar cf t.tar a; tar xf t.tar -C .git',
  'mkdir -p s/.git; echo x > s/.git/config; tar cf t.tar -C s .git; tar xf t.tar',
  'gzip .git/config',
  'gzip -k .git/config',
  'find .git -delete',
  'find . -name config -exec rm {} +',
  'find a -fprint .git/new',
  'find a -exec cp {} .git/new \\;',
  'sqlite3 .git/new "create table t(a)"',
  'xxd -r -p - .git/new <<< 61',
  'shuf -o .git/new a',
  'uniq a .git/new',
  'jq . a > .git/config',
  'history -w .git/new; history -a .git/new',
  'umask 0; echo x > .git/new',
  'ls() { echo x > .git/config; }; ls',
  'echo "echo x > /work/.git/config" > s; chmod +x s; ./s',
]

const files = [
  file('/work/a', '1\n'),
  file('/work/sub/f', '2\n'),
  file('/work/.git/config', 'kept\n'),
  file('/work/.git/out/o', '3\n'),
]
const init = 'mkdir .git/empty; touch -d 2020-01-01 .git/* .git'

/**
 * All that is at and below a path but in `out`, by what the API says. Who removes `out`, which is allowed, changes the time of
 * its directory on a disk.
 */
async function tree(shell: EngineShell, path: string, onDisk = false): Promise<unknown[]> {
  const stat = await shell.stat?.(path)
  if (!stat?.ok) return [path, 'is not there']
  const { kind, mode, modified } = stat.value
  const read = kind === 'file' ? await shell.readFile(path) : undefined
  const time = onDisk && kind === 'directory' ? undefined : modified
  const own = [path, kind, mode, time, read?.ok ? Buffer.from(read.value).toString() : undefined]
  const list = kind === 'directory' ? await shell.listFiles(path) : undefined
  const names = list?.ok === true ? list.value.map(({ name }) => name) : []
  const inner = await Promise.all(
    names.filter((name) => name !== 'out').map((name) => tree(shell, `${path}/${name}`, onDisk)),
  )
  return [own, ...inner]
}

/** All but `.git` as before. */
const AGAIN = `cd /work; rm -rf /work/[!.]* .git/out/* /w /s; mkdir -p sub .git/out; echo 1 > a; echo 2 > sub/f; echo 3 > .git/out/o`

/** Runs each way in a shell of its own, on the same files. */
async function stays(shell: EngineShell, ways: readonly string[], onDisk = false): Promise<void> {
  const before = await tree(shell, '/work/.git', onDisk)
  for (const way of ways) {
    await shell.runCode?.({ code: way, language: 'bash' })
    expect(await tree(shell, '/work/.git', onDisk), way).toEqual(before)
    expect(await run(shell, AGAIN), way).toEqual([0, '', ''])
  }
}

test('whatever writes, what is below a protected path stays as it is', async () => {
  await stays(await openRuled(rules, { files, init }), WAYS)
})

it.runIf(isFull)('of these ways nearly all change it in a session without rules', async () => {
  let effective = 0
  for (const way of WAYS) {
    const shell = await openRuled(undefined, { files, init })
    const before = JSON.stringify(await tree(shell, '/work/.git'))
    await run(shell, way)
    if (JSON.stringify(await tree(shell, '/work/.git')) !== before) effective += 1
  }
  expect(effective).toBeGreaterThan(100)
})

test('a refusal is told as that of a read-only place, and the script goes on', async () => {
  const shell = await openRuled(rules, { files, init })
  expect(await run(shell, 'echo x > .git/config; echo $?; rm .git/config; echo $?; echo on')).toEqual([
    0,
    '1\n1\non\n',
    "bash: /work/.git/config: Permission denied\nrm: cannot remove '.git/config': Permission denied\n",
  ])
})

test('beside it, and where it is excepted, all is as without rules', async () => {
  const script = `
    echo x > .git/out/o; mkdir -p .git/out/d/e .git; touch .git/out/d/e/f; mv .git/out/d d; mv d .git/out/d; ln -s ../config .git/out/l
    rm -r .git/out; mkdir .git/out; echo x > .git/out/n; cp -r .git g2; echo y > g2/config; chmod 600 g2/config; rm -r g2
    mkdir s; mv s s2; rmdir s2; echo z > .gitignore; echo a > .git2; ln -s .git l; rm l; cat .git/config .git/out/n .gitignore
    echo 1 > /dev/null; echo 2 | tee /dev/null; echo 3 > /dev/stdout; echo 4 > /dev/stderr; ls -A . .git`
  const whole = { ...rules, protectedPaths: ['/work/.git', '/dev', '/etc'] }
  const said = await run(await openRuled(whole, { files, init }), script)
  expect(said).toEqual(await run(await openRuled(undefined, { files, init }), script))
  expect(said[0]).toBe(0)
})

test('the longer of two paths decides, and of two that are the same the protected one', async () => {
  const shell = await openRuled(
    {
      protectedPaths: ['/', '/work/a', '/work/same'],
      writablePaths: ['/work', '/work/a/b', '/work/same', '/new/x'],
    },
    { files: [file('/work/a/b/c', ''), file('/work/a/d', ''), file('/work/same/e', '')] },
  )
  const script = 'for f in /tmp/t /work/n /work/a/d /work/a/b/c /work/same/e; do echo > $f && echo $f; done'
  expect((await run(shell, script))[1]).toBe('/work/n\n/work/a/b/c\n')
  expect((await run(shell, 'mkdir -p /new/x; ls -d /new'))[1]).toBe('')
  expect((await run(shell, 'rm -rf /work; rm -rf /work/a; ls -d /work /work/a'))[1]).toBe('/work\n/work/a\n')
})

test('what leads to a protected path stays, also where nothing is there yet', async () => {
  const shell = await openRuled({ protectedPaths: ['/none/deep/x'] })
  for (const way of [
    'ln -s /tmp /none',
    'mkdir /none; ln -s /tmp /none/deep',
    'mkdir -p /none/deep; ln -s /tmp /none/deep/x',
    'mkdir -p /tmp/deep/x; mv -T /tmp /none',
    'mkdir -p /q/x; mv -T /q /none/deep',
    'cp -rT /q /none/deep',
    'mkdir -p /none/deep/x',
    'ln -s /none /n; ln -s /tmp /n/deep',
  ]) {
    await run(shell, way)
    expect((await run(shell, 'ls -d /none/deep/x/ /none/deep/x'))[1], way).toBe('')
  }
})

test('a protected path that is a link, or leads through one, is protected with where it leads', async () => {
  const shell = await openRuled(
    { protectedPaths: ['/work/l/config', '/one'] },
    {
      files,
      init: 'mkdir -p /real/d; ln -s .git l; ln -s /two /one; ln -s /real/d /two; echo c > /real/d/c',
    },
  )
  for (const way of [
    'rm l',
    'ln -sfn sub l',
    'mv .git g',
    'echo x > .git/config',
    'rm .git/config',
    'mv l m',
  ])
    await run(shell, way)
  for (const way of ['rm /two', 'ln -sfn /tmp /two', 'mv /real /r', 'echo x > /real/d/c', 'rm -r /real'])
    await run(shell, way)
  expect((await run(shell, 'cat l/config /one/c; readlink l /one /two'))[1]).toBe(
    'kept\nc\n.git\n/two\n/real/d\n',
  )
})

test.each([
  ['memory', false],
  ['memory with mounts', true],
])('operations that no program has are refused by %s', async (_, isMounted) => {
  const justBash = await loadJustBash(bundle)
  const mounts = isMounted ? [{ path: '/bound', volume: new MemoryVolume(new justBash.InMemoryFs()) }] : []
  const memory = openMemory(justBash, freshLimits, 0o022, (error) => error)
  const asBytes = justBash.unsafeBytesFromLatin1
  const rest = {
    maxFileSize: 9999,
    maxText: 9999,
    step: () => undefined,
    refuse: (error: Error) => error,
    asBytes,
  }
  const fs = isMounted ? new MountedFiles({ memory, mounts, ...rest }) : memory
  await fs.mkdir('/p/d', { recursive: true })
  await fs.mkdir('/t/s', { recursive: true })
  await fs.writeFile('/p/f', 'kept')
  await fs.writeFile('/t/f', 'x')
  await fs.symlink('/p', '/l')
  await fs.symlink('/t', '/t/l')
  const pathRules = new PathRules({ protectedPaths: ['/p', '/above/p'], writablePaths: [], binds: [] })
  memory.protection = new Protection(pathRules, (error) => error)
  for (const act of [
    () => fs.cp('/t/f', '/p/f'),
    () => fs.cp('/t/f', '/l/f'),
    () => fs.cp('/t', '/p/d', { recursive: true }),
    () => fs.cp('/t/l', '/above'),
    () => fs.link('/t/f', '/p/g'),
    () => fs.link('/p/f', '/t/g'),
    () => fs.link('/t/f', '/l/g'),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'EACCES', protectedBy: expect.stringMatching(/p$/) })
  await fs.cp('/p', '/t/copy', { recursive: true })
  await fs.link('/t/f', '/t/g')
  expect(await fs.readdir('/p')).toEqual(['d', 'f'])
})

test('operations of the API are refused, and say by which path of the policy', async () => {
  const shell = await openRuled(rules, { files })
  const bytes = new Uint8Array(1)
  const answers = await Promise.all([
    shell.writeFile('/work/.git/config', bytes),
    shell.writeFile('.git/new/deep', bytes),
    shell.appendFile?.('.git/config', bytes),
    shell.removeFile('.git/config', false),
    shell.removeFile('/work', true),
    shell.makeDirectory?.('.git/new'),
    shell.move?.('.git', 'x'),
    shell.move?.('a', '.git/a'),
    shell.copy?.('sub', '.git/sub'),
  ])
  for (const answer of answers)
    expect(answer).toMatchObject({
      ok: false,
      error: {
        code: 'PERMISSION_DENIED',
        message: expect.stringContaining("the policy of this sandbox protects '/work/.git': write elsewhere"),
      },
    })
  expect(await shell.readFile('.git/config')).toMatchObject({ ok: true })
  expect(await shell.copy?.('.git', 'x')).toMatchObject({ ok: true })
  expect(await shell.writeFile('.git/out/new', bytes)).toMatchObject({ ok: true })
})

test('a session that is restored has its files, and its rules', async () => {
  const first = await openRuled(undefined, { files })
  await run(first, 'echo changed > .git/config; ln -s .git/config /work/l; f() { touch .git/new; }')
  const parts: readonly CheckpointPart[] = structuredClone((await first.checkpoint?.()) ?? [])
  const again = await openRuled({ ...rules, denied: ['touch'] }, { files, restores: true })
  for (const part of parts) expect(await again.restore?.(part)).toEqual({ ok: true, value: null })
  expect(await run(again, 'echo x > l; f; cat .git/config; ls .git')).toEqual([
    0,
    'changed\nconfig\nout\n',
    `bash: /work/.git/config: Permission denied\n${sentence('touch')}`,
  ])
})

function scratch(): Scratch {
  const made = new Scratch('/tmp')
  onTestFinished(() => made[Symbol.dispose]())
  made.file('a', '1\n')
  made.file('.git/config', 'kept\n')
  made.file('sub/f', '2\n')
  made.link('l', '.git')
  return made
}

const bind = (source: string, destination: string, mode: BindRecord['mode'] = 'direct') =>
  ({ source, destination, mode, readonly: false }) as const

test.each(['direct', 'copy'] as const)(
  'a %s bind is protected, also where its disk takes A for a',
  async (mode) => {
    const host = scratch()
    const shell = await openRuled(rules, { binds: [bind(host.bind, '/work', mode)] })
    await run(shell, AGAIN)
    await stays(
      shell,
      WAYS.filter((_, at) => isFull || at % 10 === 0),
      true,
    )
    for (const way of [
      'echo x > .GIT/config',
      'mkdir .Git',
      'ln -s a .gIT',
      'mv sub .GIT',
      'cp -r sub .giT',
      'mkdir -p .GIT/x',
    ])
      await run(shell, way)
    expect((await run(shell, 'ls -Ad .[gG]*'))[1]).toBe('.git\n')
    expect((await run(shell, 'echo y > a && mkdir n && mv n m && rmdir m && cat a .git/config'))[1]).toBe(
      'y\nkept\n',
    )
    expect(contentsOf(host.at('.git'))['config']).toBe('kept\n')
  },
)

test('files of the host that another bind has as well are protected there', async () => {
  const host = scratch()
  const shell = await openRuled(rules, {
    binds: [
      bind(host.bind, '/work'),
      bind(`${host.bind}/.git`, '/inner'),
      bind(join(host.bind, '..'), '/outer'),
    ],
  })
  const outer = `/outer/${basename(host.bind)}`
  await run(
    shell,
    `echo x > /inner/config; rm /inner/config; rm -rf ${outer}; echo x > ${outer}/.git/config; mv ${outer} /outer/x`,
  )
  expect(await run(shell, `echo y > ${outer}/a; cat a .git/config`)).toEqual([0, 'y\nkept\n', ''])
})
