import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { inBash, unlikeBash } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
const directory = mkdtempSync(join(tmpdir(), 'archives-'))
afterAll(async () => {
  await host.close()
  rmSync(directory, { recursive: true })
})

/** Commands that print and answer what the programs of GNU do, by what they are about. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  'written, listed and taken out': [
    'tar -cf a.tar f d; tar -tf a.tar; echo $?; tar czf a.tgz f d g; tar tzf a.tgz d; mkdir o; tar -xzf a.tgz -C o; cat o/f o/d/h; ls o; tar xf a.tar f -O; tar -xf a.tgz -C o --strip-components=1; ls o; tar tf a.tgz | wc -l',
  ],
  'with names, appended to, and by long options': [
    'tar -cvf a.tar f g; tar -xvf a.tar; tar cvf - f g 2>&1 >/dev/null; tar -rf a.tar d; tar tf a.tar; tar rvf a.tar list; tar -tf a.tar | tail -n 1; tar --list --file=a.tar; tar --create --gzip --file b.tgz f; tar --extract --file b.tgz --to-stdout f',
  ],
  'what fails': [
    'tar -cf a.tar nope; echo $?; tar -cf a.tar f nope 2>&1; echo $?; tar -tf nope.tar 2>&1; echo $?; tar -tf f 2>&1; echo $?; tar -xf a.tar zz 2>&1; echo $?; tar -cf a.tar 2>&1 | head -n 1; tar -cf /none/a.tar f 2>&1; echo $?; tar cf a.tar f; tar xf a.tar -C none 2>&1; echo $?; tar f a.tar 2>&1 | head -n 1; tar -xzf a.tar 2>&1 | tail -n 1; echo $?',
  ],
  'excluded names, and lists of names': [
    "mkdir -p p/.git p/src/node_modules; echo 1 > p/.git/x; echo 2 > p/src/a.c; echo 3 > p/src/b.o; echo 4 > p/src/node_modules/m; tar -cf a.tar --exclude=.git --exclude='*.o' --exclude node_modules p; tar tf a.tar | sort; tar cf b.tar --exclude p/src p; tar tf b.tar | sort; tar tf a.tar --exclude=src | sort; tar cf - p | tar xf - -C d; ls d/p/src; tar --exclude-from=list -cf c.tar f g d; tar tf c.tar | sort; tar cf c.tar -T list; tar tf c.tar; printf 'd/h\\n' | tar cf c.tar -T -; tar tf c.tar",
  ],
  'modes, links and absolute names': [
    'chmod 755 f; chmod 600 g; ln -s f l; tar cf a.tar f g l; rm f g l; tar xf a.tar; ls -l | awk \'{print $1, $NF}\' | tail -n +2; readlink l; tar cf abs.tar "$PWD/f" 2>&1; tar tf abs.tar | sed "s|${PWD#/}/||"; mkdir e; tar cf e.tar e ./d; tar tf e.tar; tar --exclude=\'*.tar\' -cf dot.tar .; tar tf dot.tar | sort',
  ],
  'files that are there already': [
    "echo old > o; tar cf a.tar f; echo new > f; tar xkf a.tar 2>&1; echo $?; cat f; tar xf a.tar --skip-old-files; cat f; tar xf a.tar; cat f; tar cf a.tar f f; tar tf a.tar; tar --wildcards -tf a.tar 'f*'",
  ],
  'gzip and back': [
    'gzip f; ls; gunzip f.gz; cat f; gzip -k f; ls; gzip f 2>&1; echo $?; gzip -f f; gzip -d f.gz; cat f; gzip -c f > x; gunzip -c < x; zcat x; gzip -9 < f | gunzip; echo hi | gzip | zcat; gzip -t x; echo $?; gzip -dc x g 2>&1; echo $?',
  ],
  'what gzip says': [
    'gunzip nope 2>&1; echo $?; gzip nope 2>&1; echo $?; gzip d 2>&1; echo $?; gunzip f 2>&1; echo $?; cp f y.gz; gunzip y.gz 2>&1; echo $?; ls y*; zcat f 2>&1; echo $?; gzip -c f > z.gz; head -c 20 z.gz > cut.gz 2>/dev/null; gzip z.gz 2>&1; echo $?; gzip -q z.gz; echo $?; ln -s f l; gzip l 2>&1; echo $?; gzip -c l | zcat; cp z.gz s.tgz; gunzip s.tgz; ls s*; gzip -dk z; cat z; gzip < nope; echo $?',
  ],
  'compressed data in scripts': [
    'seq 1 3000 > n; gzip -k n; zcat n.gz | tail -n 1; cat n.gz n.gz > m.gz; zcat m.gz | wc -l; gzip -1k f g; zcat f.gz g.gz; cat f.gz | gzip -dc | head -n 1; x=$(zcat f.gz); echo "$x"; zcat f.gz | while read -r l; do echo "- $l"; done; if gzip -t f.gz 2>/dev/null; then echo ok; fi; for i in f g; do zcat $i.gz > out.$i; done; cat out.*; find . -name \'*.gz\' | sort | xargs gunzip -f; ls',
  ],
  'archives in pipes': [
    'tar czf - f d | tar tzf -; tar cf - f g | gzip > a.tgz; tar tzf a.tgz; gzip -dc a.tgz | tar xf - -C d; ls d; cat a.tgz | tar xzf - -O f; tar xzf - -O g < a.tgz; tar tz < a.tgz; f() { tar czf b.tgz f && tar tzf b.tgz; }; f; set -o pipefail; tar cf - f | gzip -c > c.tgz && tar tzf c.tgz; (cd d && tar cf - .) | (cd /tmp && tar tf -) | sort',
  ],
}

describe('prints and answers what tar and gzip do', () => {
  it.each(Object.entries(SAME))('%s', async (_, commands) => {
    expect(await unlikeBash(host, commands)).toEqual([])
  })
})

/** Bytes of every kind: all values, line breaks of both kinds next to each other, and what a generator gives. */
function bytes(seed: number, size: number): Uint8Array {
  const data = new Uint8Array(size)
  let state = seed
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const value = state >>> 24
    data[at] = seed % 3 === 0 && value < 128 ? ([13, 10, 13, 0][value % 4] ?? 0) : value
  }
  return data
}

const ALL = Uint8Array.from({ length: 256 }, (_, at) => at)
const CONTENTS: readonly Uint8Array[] = [
  new Uint8Array(0),
  ALL,
  Buffer.from('a\r\nb\r\r\n\xff\r', 'latin1'),
  Buffer.from('\xff\r\n', 'latin1'),
  Buffer.from('\xff\n\n', 'latin1'),
  Buffer.from('\xff\r', 'latin1'),
  Buffer.from('\xc3\xa9\xc3', 'latin1'),
  Buffer.from(' \t\xff \\ \\\n -n\xfe', 'latin1'),
  ...[1, 2, 3, 6, 9].map((seed) => bytes(seed, 3000 * seed)),
  bytes(5, 140_000),
]

/** Runs a program of this machine in a directory of its own. */
function onHost(program: string, args: readonly string[]) {
  return spawnSync(program, args, { cwd: directory, encoding: 'buffer', maxBuffer: 2 ** 26 })
}

describe('carries every byte', () => {
  it('into archives that the programs of GNU read, and back', async () => {
    await using sandbox = await host.open()
    await sandbox.execute('mkdir /tmp/w; cd /tmp/w; mkdir p')
    for (const [at, content] of CONTENTS.entries()) await sandbox.writeFile(`/tmp/w/p/${at}`, content)
    const { exitCode, stderr } = await sandbox.execute(
      'tar -cf a.tar p && tar -czf a.tgz p && gzip -9k p/* && mkdir o && tar -xzf a.tgz -C o && gunzip -kf p/*.gz && cat a.tgz | tar xzf - -O p/1 > all',
    )
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(Buffer.from(await sandbox.readFile('/tmp/w/all'))).toEqual(Buffer.from(ALL))
    for (const name of ['a.tar', 'a.tgz'])
      writeFileSync(join(directory, name), await sandbox.readFile(`/tmp/w/${name}`))
    for (const [at, content] of CONTENTS.entries()) {
      const expected = Buffer.from(content)
      expect(onHost('tar', ['-xOf', 'a.tar', `p/${at}`]).stdout).toEqual(expected)
      expect(onHost('tar', ['-xOzf', 'a.tgz', `p/${at}`]).stdout).toEqual(expected)
      expect(gunzipSync(await sandbox.readFile(`/tmp/w/p/${at}.gz`))).toEqual(expected)
      for (const place of ['p', 'o/p'])
        expect(Buffer.from(await sandbox.readFile(`/tmp/w/${place}/${at}`))).toEqual(expected)
    }
  }, 60_000)

  it('out of archives of GNU: long names, links, modes, all formats and levels', async () => {
    const long = `${'d'.repeat(90)}/${'e'.repeat(120)}`
    const script = `mkdir -p p/${long}; echo deep > p/${long}/f; ln -s ${'t'.repeat(130)} p/l; head -c 9000 /dev/zero > p/zero; printf '\\377\\r\\n' > p/bin; chmod 750 p/bin; ln p/bin p/hard`
    expect(onHost('bash', ['-c', script]).status).toBe(0)
    await using sandbox = await host.open()
    for (const format of ['gnu', 'pax', 'ustar', 'v7']) {
      // The older formats have no names of this length.
      const left = format === 'gnu' || format === 'pax' ? [] : ['--exclude=l', `--exclude=${'e'.repeat(120)}`]
      expect(onHost('tar', [...left, `--format=${format}`, '-czf', 'g.tgz', 'p']).status).toBe(0)
      await sandbox.writeFile('/tmp/g.tgz', readFileSync(join(directory, 'g.tgz')))
      const { stdout, stderr, exitCode } = await sandbox.execute(
        `cd /tmp; rm -rf p; tar xpf g.tgz && tar tzf g.tgz && stat -c %a p/bin && cat p/zero | tr '\\0' z | wc -c${left.length > 0 ? '' : `; cat p/${long}/f; readlink p/l | wc -c`}`,
      )
      const listed = onHost('tar', ['tzf', 'g.tgz']).stdout.toString()
      const end = left.length > 0 ? '' : 'deep\n131\n'
      expect({ stdout: stdout.replaceAll(/^ +/gm, ''), stderr, exitCode }).toEqual({
        stdout: `${listed}750\n9000\n${end}`,
        stderr: '',
        exitCode: 0,
      })
      for (const name of ['bin', 'hard'])
        expect(Buffer.from(await sandbox.readFile(`/tmp/p/${name}`))).toEqual(
          Buffer.from('\xff\r\n', 'latin1'),
        )
    }
    for (const level of [0, 1, 6, 9]) {
      const content = Buffer.concat([
        Buffer.from('text '.repeat(9000)),
        bytes(4, 70_000),
        Buffer.alloc(70_000),
      ])
      await sandbox.writeFile('/tmp/c.gz', gzipSync(content, { level }))
      expect((await sandbox.execute('gunzip -kf /tmp/c.gz')).stderr).toBe('')
      expect(Buffer.from(await sandbox.readFile('/tmp/c'))).toEqual(content)
    }
  }, 60_000)

  it('lists members with the columns of GNU', async () => {
    await using sandbox = await host.open({ env: { USER: 'eval' } })
    await sandbox.execute(
      'cd /tmp; mkdir d; echo a > d/f; chmod 751 d/f; ln -s f d/l; seq 20000 > d/n; tar -cf t.tar d',
    )
    writeFileSync(join(directory, 't.tar'), await sandbox.readFile('/tmp/t.tar'))
    const { stdout } = await sandbox.execute('cd /tmp; tar -tvf t.tar')
    const expected = inBash(`TZ=UTC tar -tvf ${join(directory, 't.tar')}`).stdout
    expect(stdout).toBe(expected)
    expect(stdout).toContain('eval/eval')
  })
})

/** What would not carry every byte, or would be read wrongly, is refused, and nothing is written. */
const REFUSED: readonly (readonly [command: string, message: string])[] = [
  ['gzip -c f', 'gzip: an output here that is no UTF-8 is not available here: write it to a file'],
  ['tar czf - f | wc -c', 'tar: an output here that is no UTF-8 is not available here: write it to a file'],
  ['x=$(gzip -c f)', 'gzip: an output here that is no UTF-8 is not available here: write it to a file'],
  [
    'f() { gzip -c f; }; f > o',
    'gzip: an output here that is no UTF-8 is not available here: write it to a file',
  ],
  [
    'gzip -k f; { cat f.gz; } | { gunzip; }',
    'cat: f.gz, which is no UTF-8, is not available here\ngzip: an input that is empty or no UTF-8 is not available here: name a file',
  ],
  ['tar -cjf a.tbz f', 'tar: the option -j is not available here'],
  ['tar -caf a.tar.xz f', 'tar: a compression other than that of gzip is not available here: use -z'],
  ['tar -cf a.tar --transform=s/a/b/ f', 'tar: the option --transform is not available here'],
  ['gzip -r d', 'gzip: the option -r is not available here'],
]

describe('is refused with status 2 and a line', () => {
  it.each(REFUSED)('%s', async (command, message) => {
    await using sandbox = await host.open()
    await sandbox.execute('mkdir -p /tmp/w/d; cd /tmp/w; echo text > f; touch o')
    const { exitCode, stderr } = await sandbox.execute(command)
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `${message}\n` })
  })

  it('also where find loses its message', async () => {
    await using sandbox = await host.open()
    const { exitCode, stderr } = await sandbox.execute(
      'cd /tmp; echo a > f; find . -name f -exec gzip -r {} \\;',
    )
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'gzip: the option -r is not available here\n',
    })
  })

  it.each(['bash x.sh', 'bash x.sh && true', 'bash x.sh 2>/dev/null; true'])(
    'also in a script: %s',
    async (command) => {
      await using sandbox = await host.open()
      await sandbox.execute("cd /tmp; mkdir d; printf 'gzip -r d 2>/dev/null\\necho end\\n' > x.sh")
      expect(await sandbox.execute(command)).toMatchObject({
        exitCode: 2,
        stdout: 'end\n',
        stderr: 'gzip: the option -r is not available here\n',
      })
    },
  )

  it('also where its message is thrown away', async () => {
    await using sandbox = await host.open()
    const { exitCode, stderr } = await sandbox.execute(
      'cd /tmp; echo a > f; tar -cJf a f 2>/dev/null || echo no',
    )
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'tar: the option -J is not available here\n',
    })
  })
})

describe('an archive that does not fit', () => {
  it('is not written, and the file is gone', async () => {
    await using sandbox = await host.open({ limits: { maxFileSize: 60_000 } })
    const { exitCode, stderr } = await sandbox.execute('cd /tmp; seq 3000 > f; tar cf a.tar f f f f f')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'tar: a.tar: Cannot open: File too large\ntar: Error is not recoverable: exiting now\n',
    })
    expect((await sandbox.execute('cd /tmp; ls')).stdout).toBe('f\n')
  })

  it('that is damaged or cut leaves nothing of it', async () => {
    await using sandbox = await host.open()
    const archive = gzipSync(Buffer.from('text '.repeat(9000)))
    archive[400 % archive.length] = 255 - (archive[400 % archive.length] ?? 0)
    await sandbox.writeFile('/tmp/bad.gz', archive)
    await sandbox.writeFile('/tmp/cut.gz', gzipSync(bytes(7, 5000)).subarray(0, 3000))
    const { exitCode, stderr } = await sandbox.execute('cd /tmp; gunzip -k bad.gz cut.gz; ls | wc -l')
    expect(stderr).toMatch(
      /^\ngzip: bad\.gz: invalid compressed data--(?:crc error|format violated)\n\ngzip: cut\.gz: unexpected end of file\n$/,
    )
    expect(exitCode).toBe(0)
    expect((await sandbox.execute('cd /tmp; ls')).stdout).toBe('bad.gz\ncut.gz\n')
  })

  it('that grows past what fits ends with a line', async () => {
    await using sandbox = await host.open()
    await sandbox.writeFile('/tmp/bomb.gz', gzipSync(Buffer.alloc(64 * 2 ** 20)))
    const { exitCode, stderr } = await sandbox.execute('cd /tmp; gunzip bomb.gz')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'gzip: bomb.gz, which has more than 33554432 bytes, is not available here\n',
    })
  }, 60_000)
})
