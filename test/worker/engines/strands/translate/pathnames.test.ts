// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ShellHost, type StrandsShellSandbox } from '../../../../../src/index.ts'

const FILES = ['b.ts', 'a.ts', '.dot', 'f1 x.ts', 'Z.ts', "a'b.ts", 'q*q', 'sub/c.ts', 'sub/.d', '.hid/x']
const source = mkdtempSync(join(tmpdir(), 'pathnames-'))
const host = new ShellHost({ isolation: 'worker' })
let sandbox: StrandsShellSandbox

beforeAll(async () => {
  for (const file of FILES) {
    mkdirSync(join(source, file, '..'), { recursive: true })
    writeFileSync(join(source, file), `${file}\n`)
  }
  sandbox = await host.open({
    binds: [
      { source, destination: '/direct', mode: 'direct', readonly: true },
      { source, destination: '/mirror', mode: 'direct', readonly: false },
      { source, destination: '/copy', mode: 'copy' },
    ],
  })
  await sandbox.execute('cp -r /copy /tmp/own')
})
afterAll(async () => {
  await host.close()
  rmSync(source, { recursive: true })
})

/** Words of a command, and what bash makes of them. */
const WORDS: readonly (readonly [words: string, prints: string])[] = [
  ['*', "Z.ts a'b.ts a.ts b.ts f1 x.ts q*q sub"],
  ['[ab]*.ts', "a'b.ts a.ts b.ts"],
  ['[!a]* [^a-z]*', 'Z.ts b.ts f1 x.ts q*q sub Z.ts'],
  ['?.ts [[:upper:]]*', 'Z.ts a.ts b.ts Z.ts'],
  ['.* .h*/*', '.dot .hid .hid/x'],
  ['*/ */* s*b/c.ts s*/none */c.ts/', 'sub/ sub/c.ts sub/c.ts s*/none */c.ts/'],
  ['./*.ts', "./Z.ts ./a'b.ts ./a.ts ./b.ts ./f1 x.ts"],
  ['"*".ts \\*.ts a\\* "a"*.ts f1\\ * q\\**', "*.ts *.ts a* a'b.ts a.ts f1 x.ts q*q"],
  ['*.none a[b [z-a]*', '*.none a[b [z-a]*'],
  ['{a,b}.t* {a,b}.none', 'a.ts b.ts a.none b.none'],
  ['$d/*.ts "$d"/* ${d}[/]c.ts $d/c.t[s]', 'sub/c.ts sub/c.ts sub[/]c.ts sub/c.ts'],
  ['$p "$p"', "Z.ts a'b.ts a.ts b.ts f1 x.ts sub/c.ts *.ts */*.ts"],
]

describe.each(['/direct', '/mirror', '/copy', '/tmp/own'])('names of files in %s', (directory) => {
  it.each(WORDS)('%s', async (words, prints) => {
    const { stdout } = await sandbox.execute(`cd ${directory}; d=sub; p='*.ts */*.ts'; echo ${words}`)
    expect(stdout).toBe(`${prints}\n`)
  })

  it('a loop goes over them', async () => {
    const command = `for f in ${directory}/*.ts "x y" $(echo u v); do echo "\${f##*/}"; done; echo "\${IFS-unset}"`
    expect((await sandbox.execute(command)).stdout).toBe(
      "Z.ts\na'b.ts\na.ts\nb.ts\nf1 x.ts\nx y\nu\nv\nunset\n",
    )
  })

  it('commands read them', async () => {
    const command = `cat ${directory}/[ab].ts; head -n 1 ${directory}/sub/*; ls ${directory}/[Zb].ts | wc -l`
    expect((await sandbox.execute(command)).stdout).toBe('a.ts\nb.ts\nsub/c.ts\n2\n')
  })
})

const own = (command: string) => `cd /tmp/own; ${command}`

/** A command with patterns, and what it prints with status 0. */
const COMMANDS: readonly (readonly [what: string, command: string, prints: string])[] = [
  ['set --', 'set -- [ab].ts; echo $# $2', '2 b.ts\n'],
  [
    'a loop in itself',
    'f() { for x in "$1"/*; do echo "$x"; [ -d "$x" ] && f "$x"; done; }; f .',
    "./Z.ts\n./a'b.ts\n./a.ts\n./b.ts\n./f1 x.ts\n./q*q\n./sub\n./sub/c.ts\n",
  ],
  ['set -e and ||', 'set -e; ls *.none 2>/dev/null || echo or; set +e', 'or\n'],
  ['a pipeline', 'echo [ab].ts | tr a-z A-Z | cat', 'A.TS B.TS\n'],
  ['a substitution', 'x=$(echo [ab].ts); echo "$x"', 'a.ts b.ts\n'],
  ['a function', 'f() { echo "$#"; return 3; }; f [ab].ts || echo $?', '2\n3\n'],
  ['a here-document', 'cat [a].ts - <<E\nin *\nE', 'a.ts\nin *\n'],
  ['2>&1 of a group', '{ ls *.none; echo x; } 2>&1 | wc -l', '2\n'],
  [
    'return and continue',
    'f() { for x in *; do for y in *; do continue 2; done; done; return 4; }; f; echo $?',
    '4\n',
  ],
  ['IFS', 'IFS=:; v=a:b; for f in $v [ab].ts; do echo "$f$IFS"; done; unset IFS', 'a:\nb:\na.ts:\nb.ts:\n'],
  ['ls -l of several files', 'ls -l [ab].ts | grep -c .; ls -l [ab].ts | wc -l', '2\n2\n'],
  ['"$@" for ls', 'f() { ls "$@"; }; f [ab].ts', 'a.ts\nb.ts\n'],
  ['a pipeline stage that is a script', "echo 'echo $#' > /tmp/s; sh /tmp/s [ab].ts | cat", '2\n'],
  [
    'a script with an input',
    "echo 'cat; echo $#' > /tmp/s; echo in > /tmp/i; sh /tmp/s [ab].ts < /tmp/i",
    'in\n2\n',
  ],
  ['a script', "echo 'echo [ab].ts $#' > /tmp/s; sh /tmp/s [ab].ts", 'a.ts b.ts 2\n'],
  [
    'a name with a line break',
    'mkdir -p /tmp/n1; cd /tmp/n1; : > \'a\nb\'; for f in *; do echo "<$f>"; done',
    '<a\nb>\n',
  ],
  [
    'an empty directory',
    'mkdir -p /tmp/e1; : > /tmp/e1/.x; cd /tmp/e1; echo * *x; for f in *; do echo "$f"; done',
    '* *x\n*\n',
  ],
  ['ls of files', 'ls b.ts a.ts; ls -d */', 'a.ts\nb.ts\nsub/\n'],
  ['head of files', 'head -n 1 a.ts b.ts', '==> a.ts <==\na.ts\n\n==> b.ts <==\nb.ts\n'],
  ['find -name', 'find . -name \\*.none; find sub -name \\*.ts', 'sub/c.ts\n'],
  ['a star in quotes in case', 'case q in \'*\'|"*"|\\*) echo no ;; *) echo yes ;; esac', 'yes\n'],
  [
    'a value in quotes in case',
    'p=\'a*\'; case ab in "$p") echo no ;; "$p"*) echo no ;; *) echo yes ;; esac',
    'yes\n',
  ],
  ['a value in quotes in [[ ]]', 'p=\'a*\'; [[ ab == "$p" ]] || [[ a*b == "$p"* ]] && echo yes', 'yes\n'],
  ['a value in quotes in ${x#…}', 'p=\'a*\'; x=\'a*b\'; echo "${x#"$p"}" "${x%\\**}"', 'b a\n'],
]

describe('a command with patterns', () => {
  it.each(COMMANDS)('%s', async (_, command, prints) => {
    expect((await sandbox.execute(own(command))).stdout).toBe(prints)
  })

  it('is refused where the pattern is the target of a redirection', async () => {
    expect(await sandbox.execute('cat < *.ts')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('a pattern as the target of a redirection is not available here'),
    })
  })
})
