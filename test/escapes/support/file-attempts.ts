import { link } from 'node:fs/promises'
import { join } from 'node:path'
import { hostDirectory, plant } from '../../strands-shell/support/host-tree.ts'
import { type Attempt, SECRET } from './attempts.ts'

/** Directories of the host: `in` is bound, in four ways; `out` is not; `inner` is bound inside of a bind. */
export interface Places {
  readonly in: string
  readonly out: string
  readonly inner: string
}

/** What is in `out`. */
export const outside = {
  secret: `${SECRET}\n`,
  hard: 'of two names\n',
  'sub/secret': `${SECRET}\n`,
  'ok.sh': 'echo ran\n',
}
const binds = ['/read', '/work', '/copy', '/pass']

const none = /^1 .*(no such file|not a directory|os error 2)/is
const either = /^[12] |^IO_ERROR: |^MIRROR_FAILED: |^PATH_NOT_FOUND: /

/** The same in every kind of bind. */
function inEach(
  name: string,
  why: string,
  how: (bind: string) => string,
  seen: RegExp = none,
): readonly Attempt<Places>[] {
  return binds.map((bind) => ({ name: `${name} (${bind})`, why, how: how(bind), seen }))
}

/** Attempts that must show nothing of what is not granted. */
export const reading: readonly Attempt<Places>[] = [
  ...inEach('an absolute link', 'the host would follow it', (at) => `cat ${at}/abs`),
  ...inEach('a relative link', 'the host would follow it', (at) => `cat ${at}/rel`),
  ...inEach('a link to a directory', 'only the last name might be checked', (at) => `cat ${at}/dir/secret`),
  ...inEach('a link to a link', 'only the first might be checked', (at) => `cat ${at}/chain`),
  ...inEach('a link through /proc', '/proc/self/root is the root', (at) => `cat ${at}/proc ${at}/cwd`),
  ...inEach('a link below a directory', '`..` is relative to it', (at) => `cat ${at}/sub/up/secret`),
  ...inEach('cd through a link', 'paths are relative then', (at) => `cd ${at}/dir && cat secret`, either),
  ...inEach('a glob through a link', 'it reads directories', (at) => `cat ${at}/dir/*; cat ${at}/*/secret`),
  ...inEach('find through links', 'it walks', (at) => `find ${at} -name secret; find ${at}/dir/`, /^[01] /),
  ...inEach('grep through links', 'it walks', (at) => `grep -r granted ${at} ${at}/dir/`, /^[12] /),
  ...inEach(
    '`..` out of a bind',
    'paths might be joined as text',
    (at) => `cat ${at}/../../../..{out}/secret`,
  ),
  ...inEach('`..` through a directory', 'text and host differ', (at) => `cat ${at}/sub/../../out/secret`),
  ...inEach(
    'a link of its own',
    'made inside, followed outside',
    (at) => `ln -s {out}/secret ${at}/own; cat ${at}/own`,
  ),
  ...inEach(
    'a link of its own to a directory',
    'as above',
    (at) => `ln -s {out} ${at}/o; cat ${at}/o/secret`,
  ),
  ...inEach(
    'a hard link',
    'it has no target to check',
    (at) => `ln {out}/secret ${at}/h; cat ${at}/h`,
    /^[12] /,
  ),
  ...inEach(
    'a rename out of a link',
    'it moves the name',
    (at) => `mv ${at}/abs ${at}/moved; cat ${at}/moved`,
    either,
  ),
  ...inEach(
    'a copy of a link',
    'cp follows',
    (at) => `cp -r ${at}/abs /tmp/c; cp -r ${at}/dir /tmp/d; cat /tmp/c /tmp/d/secret`,
  ),
  ...inEach(
    'small and capital letters',
    'file systems fold them',
    (at) => `cat ${at.toUpperCase()}/ok ${at}/OK`,
  ),
  ...inEach(
    'dots of Unicode',
    'they are folded to dots',
    (at) => `cat ${at}/．．/out/secret ${at}/‥/out/secret`,
  ),
  ...inEach(
    'slashes of Unicode',
    'they are folded to slashes',
    (at) => `cat '${at}/..∕out∕secret' '${at}／..／out'`,
  ),
  ...inEach(
    'backslashes',
    'some systems separate by them',
    (at) => `cat '${at}\\..\\out\\secret' '${at}/..\\out'`,
  ),
  ...inEach(
    'escaped dots',
    'a server would decode them',
    (at) => `cat ${at}/%2e%2e/out/secret ${at}/..%2fout`,
  ),
  ...inEach(
    'lua',
    'it has files of its own',
    (at) => `lua -e 'print(io.open("${at}/abs"):read("a"))'`,
    /^1 /,
  ),
  ...inEach(
    'a program that is a link',
    'it is run, not read',
    (at) => `. ${at}/script; ${at}/script`,
    /^(1|12[67]) /,
  ),
  ...[
    ['an absolute path', 'it is one of the host', 'cat {out}/secret'],
    ['redirected input', 'the shell opens it', 'cat < {out}/secret'],
    ['a descriptor', 'exec keeps it open', 'exec 5< {out}/secret; cat <&5'],
    ['a sourced file', 'the shell reads it', '. {out}/ok.sh; . {out}/secret'],
    ['a script of lua', 'lua reads it', 'lua {out}/secret'],
    ['a file of jq', 'jq reads it', `jq -R . {out}/secret`],
    ['a file of curl', 'curl sends it', 'curl -s file://{out}/secret'],
    ['a link in /tmp', '/tmp is of the sandbox', 'ln -s {out}/secret /tmp/l; cat /tmp/l'],
    ['/etc/passwd', 'every system has it', 'cat /etc/passwd'],
    ['memory', 'it is a file', 'cat /dev/mem /dev/kmem /proc/kcore'],
    ['a working directory', 'cd may leave', 'cd {out}; pwd; cat secret'],
    ['existence', 'a test tells as much', 'test -e {out}/secret || ls -d {out}'],
  ].map(([name = '', why = '', how = '']) => ({ name, why, how, seen: /^[1-9]/ })),
  {
    name: 'readFile with `..`',
    why: 'paths of calls are not commands',
    how: (sandbox, { out }) => sandbox.readFile(`/read/../../../../..${out}/secret`),
    seen: /^PATH_NOT_FOUND/,
  },
  {
    name: 'readFile through a link',
    why: 'another way into the same files',
    how: (sandbox) => sandbox.readFile('/read/abs'),
    seen: either,
  },
  {
    name: 'readFile with a NUL',
    why: 'C ends the text there',
    how: (sandbox, { out }) => sandbox.readFile(`${out}/secret\0/read/ok`),
    seen: /^INVALID_CONFIG/,
  },
  {
    name: 'listFiles through a link',
    why: 'another way into the same files',
    how: (sandbox) => sandbox.listFiles('/read/dir'),
    seen: either,
  },
  {
    name: 'a working directory of a call',
    why: 'it is an option, not a command',
    how: (sandbox, { out }) => sandbox.execute('cat secret', { cwd: out }),
    seen: /^[12] |^PATH_NOT_FOUND/,
  },
]

/** Attempts that must change nothing of it. */
export const writing: readonly Attempt<Places>[] = [
  ...inEach(
    'a file through a link',
    'the host would follow it',
    (at) => `echo x > ${at}/abs`,
    /^[01] |^IO_ERROR|^MIRROR_FAILED/,
  ),
  ...inEach(
    'an append through a link',
    'the host would follow it',
    (at) => `echo x >> ${at}/rel`,
    /^[01] |^IO_ERROR|^MIRROR_FAILED/,
  ),
  ...inEach('a file in a linked directory', 'as above', (at) => `echo x > ${at}/dir/new`, /^1 /),
  ...inEach(
    'a directory in a linked one',
    'as above',
    (at) => `mkdir -p ${at}/sub/up/new`,
    /^[01] |^IO_ERROR|^MIRROR_FAILED/,
  ),
  ...inEach(
    'what is removed with a link',
    'rm may follow',
    (at) => `rm -rf ${at}/abs ${at}/dir/ ${at}/sub`,
    /^[01] /,
  ),
  ...inEach(
    'what is removed by `..`',
    'rm takes paths',
    (at) => `rm -rf ${at}/../out {out} ${at}/sub/../../out`,
    /^[01] /,
  ),
  ...inEach(
    'permissions through a link',
    'chmod follows',
    (at) => `chmod 777 ${at}/abs ${at}/dir/secret`,
    /^1 /,
  ),
  ...inEach(
    'a move into a linked directory',
    'rename follows',
    (at) => `mv ${at}/ok ${at}/dir/`,
    /^[01] |^IO_ERROR|^MIRROR_FAILED/,
  ),
  ...inEach(
    'a move of a linked directory',
    'it is the directory',
    (at) => `mv ${at}/dir ${at}/d; rm -r ${at}/d`,
    /^[01] /,
  ),
  ...inEach(
    'its own link, then through it',
    'checked once, followed later',
    (at) => `ln -s {out} ${at}/o; echo x > ${at}/o/new`,
    /^[01] |^IO_ERROR|^MIRROR_FAILED/,
  ),
  ...inEach(
    'a directory that becomes a link',
    'what was checked has changed',
    (at) =>
      `mkdir ${at}/t; echo x > ${at}/t/secret; rm -r ${at}/t; ln -s {out} ${at}/t; echo x > ${at}/t/secret`,
    /^[01] |^IO_ERROR|^MIRROR_FAILED/,
  ),
  ...inEach(
    'names like those of archives',
    'they are unpacked elsewhere',
    (at) =>
      `cd ${at} && echo x > '..\\\\..\\\\out\\\\secret' && echo x > '%2e%2e%2fsecret' && echo x > 'a:secret' && echo x > '..secret' && rm -f -- *secret`,
    /^[01] /,
  ),
  ...inEach(
    'temporary files',
    'their place is an option',
    (at) => `TMPDIR={out} mktemp; mktemp -p {out}; sort -T {out} ${at}/ok`,
    /^[12] /,
  ),
  ...['> {out}/new', '| tee {out}/new', '>> {out}/secret', '| sed "w {out}/new"'].map((end) => ({
    name: `echo ${end}`,
    why: 'it is a path of the host',
    how: `echo x ${end}`,
    seen: /^[012] /,
  })),
  {
    name: 'a file that has another name outside',
    why: 'a hard link is the file itself; a mirror replaces it',
    how: 'echo x > /work/hard; echo x > /copy/hard; cat /work/hard',
    seen: /^0 x\n$/,
  },
  {
    name: 'a read-only bind',
    why: 'calls of files are not commands',
    how: async (sandbox) => {
      const calls = [
        sandbox.writeText('/read/new', 'x'),
        sandbox.removeFile('/read/ok'),
        sandbox.writeText('/read/ok', 'x'),
      ]
      return (await Promise.allSettled(calls)).map(({ status }) => status)
    },
    seen: /^\["rejected","rejected","rejected"\]$/,
  },
  {
    name: 'writeFile through a link',
    why: 'another way into the same files',
    how: (sandbox) => sandbox.writeText('/work/dir/new', 'x'),
    seen: either,
  },
  {
    name: 'applyChanges with `..`',
    why: 'its paths are written on the host',
    how: (sandbox) => sandbox.applyChanges({ bind: '/copy', paths: ['/copy/../out/secret'] }),
    seen: /^INVALID_CONFIG: paths\[0\]/,
  },
  {
    name: 'applyChanges of a link that leads out, and of what is behind it',
    why: 'the host would follow it',
    how: async (sandbox, { out }) => {
      await sandbox.execute(
        `rm -rf /copy/sub; ln -s ${out} /copy/sub; echo x > /copy/abs; ln -s ${out}/secret /copy/n`,
      )
      return sandbox.applyChanges({ bind: '/copy' }).catch((error: unknown) => error)
    },
    seen: /./,
  },
  {
    name: 'a bind inside a bind, by its parent',
    why: 'the parent is writable',
    how: 'echo x > /work/inner/keep; rm -rf /work/inner; mv /work/inner /work/gone; rm -rf /work/*; ls /work/inner',
    seen: /./,
    config: ({ in: source, inner }) => ({
      binds: [
        { source, destination: '/work' },
        { source: inner, destination: '/work/inner', readonly: true },
      ],
    }),
  },
]

/** Directories with traps, and what is bound of them. */
export async function makePlaces(): Promise<Places> {
  const home = await hostDirectory({ 'out/': '', 'in/': '', 'inner/keep': 'kept\n' })
  const at = { in: join(home, 'in'), out: join(home, 'out'), inner: join(home, 'inner') }
  await plant(at.out, outside)
  await plant(at.in, {
    ok: 'granted\n',
    'sub/file': 'granted, too\n',
    abs: `-> ${at.out}/secret`,
    rel: '-> ../out/secret',
    dir: `-> ${at.out}`,
    chain: '-> abs',
    proc: `-> /proc/self/root${at.out}/secret`,
    cwd: '-> /proc/self/cwd/package.json',
    script: `-> ${at.out}/ok.sh`,
    'sub/up': '-> ../../out',
  })
  await link(join(at.out, 'hard'), join(at.in, 'hard'))
  return at
}

/** The four ways in which `in` is bound. */
export function bindsOf({ in: source }: Places) {
  return {
    binds: [
      { source, destination: '/read', readonly: true },
      { source, destination: '/work' },
      { source, destination: '/copy', mode: 'copy' },
      { source, destination: '/pass', mode: 'passthrough' },
    ] as const,
  }
}
