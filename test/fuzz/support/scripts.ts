import fc from 'fast-check'
import { codePoint } from '../../support/code-point.ts'

/** Joins what the parts give. */
function all(...parts: readonly (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> {
  return fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((texts) => texts.join(''))
}

function many(part: fc.Arbitrary<string>, between: string, most = 3): fc.Arbitrary<string> {
  return fc.array(part, { minLength: 1, maxLength: most }).map((parts) => parts.join(between))
}

/** One of them; a number before makes the next one so many times as likely. */
function any(...parts: readonly (fc.Arbitrary<string> | number)[]): fc.Arbitrary<string> {
  const weighed: { weight: number; arbitrary: fc.Arbitrary<string> }[] = []
  let weight = 1
  for (const part of parts) {
    if (typeof part === 'number') weight = part
    else {
      weighed.push({ weight, arbitrary: part })
      weight = 1
    }
  }
  return fc.oneof({ depthSize: 'small' }, ...weighed)
}

const name = fc.constantFrom('a', 'b', 'x', 'HOME', 'IFS', 'PATH', '_', 'PWD', '1', '@', '#', '?')
const variable = fc.constantFrom('a', 'b', 'x', 'IFS', 'PATH', 'HOME')
const number = fc.oneof(fc.nat(20), fc.constantFrom(-1, 255, 256, 1000, 9223372036854775807n)).map(String)
const path = fc.constantFrom(
  'f',
  'd/f',
  './d',
  '/tmp',
  '/tmp/x',
  '..',
  '/',
  '/home/lash',
  '*',
  'd/*',
  '[a-f]*',
  '-',
  '~',
  '/nope',
  '/dev/null',
)
const plain = any(
  3,
  fc.stringMatching(/^[a-z0-9_.,:=%+-]{1,6}$/),
  fc.constantFrom(
    'é',
    '日本',
    '👍',
    '\\n',
    '\\',
    '{a,b}',
    '!',
    '#',
    '~',
    '[',
    ']',
    '[[',
    ']]',
    '-n',
    '--',
    '%s',
    '%d',
    '"',
    "'",
  ),
)
const flags = fc.constantFrom(
  '-n',
  '-r',
  '-l',
  '-c',
  '-e',
  '-f',
  '-1',
  '-p',
  '-v',
  '-i',
  '-la',
  '--help',
  '-',
)
const names = [
  ...[
    'echo',
    'printf',
    'cat',
    'ls',
    'wc',
    'head',
    'tail',
    'sort',
    'uniq',
    'tr',
    'cut',
    'sed',
    'grep',
    'find',
    'xargs',
  ],
  ...[
    'mkdir',
    'rm',
    'cp',
    'mv',
    'touch',
    'ln',
    'chmod',
    'test',
    '[',
    'true',
    'false',
    'pwd',
    'env',
    'basename',
  ],
  ...[
    'dirname',
    'tee',
    'date',
    'mktemp',
    'readlink',
    'jq',
    'lua',
    'nosuch',
    'cd',
    'export',
    'unset',
    'set',
    'shift',
  ],
  ...[
    'eval',
    'trap',
    'alias',
    'unalias',
    'readonly',
    'local',
    'return',
    'break',
    'continue',
    'exec',
    'umask',
    'type',
  ],
  ...['command', 'read', 'wait', 'exit', 'getopts', 'times', 'hash', '.', ':', 'f', 'g'],
]
const fixed = fc.constantFrom(
  "jq -n '[1,2]|map(.+1)'",
  'lua -e "print(1 + 1)"',
  "printf 'a\\nb\\n' | sort -r",
  "sed 's/a/b/g' f",
  'set -e',
  'set -u',
  'set +e +u',
  'set -euo pipefail',
  'set -- a b c',
  'shift 2',
  "trap 'echo bye' EXIT",
  "alias ll='ls -l'",
  'exec 3>&1',
  'exec > out',
  'umask 077',
  'sleep 0.01',
  'sleep 0.01 & wait',
  'true & false &',
  "printf '\\377\\376'",
  'head -c 2000000 /dev/zero',
  'readonly a',
  'rm -rf * .*',
  'cd /; rm -rf tmp home',
  '[ a = ]',
  '[ "$a" -eq ]',
  'find /tmp -maxdepth 0 -exec [ a = ] \\;',
  'f(){ f; }; f',
  'eval \'eval "echo $a"\'',
  '. /dev/null',
)
const endless = fc.constantFrom(
  'while :; do :; done',
  'sleep 5',
  "lua -e 'while true do end'",
  'cat /dev/zero',
)

const { script } = fc.letrec<Record<string, string>>((tie) => {
  const command = tie('command') as fc.Arbitrary<string>
  const word = tie('word') as fc.Arbitrary<string>
  const list = tie('list') as fc.Arbitrary<string>
  const test = any(
    all(word, fc.constantFrom(' = ', ' != ', ' -eq ', ' -lt ', ' -nt ', ' -o ', ' -a '), word),
    all(fc.constantFrom('-f ', '-d ', '-z ', '-n ', '! ', '-e '), word),
    word,
  )
  const redirect = any(
    all(fc.constantFrom('>', '>>', '<', '2>', '2>&', '>&', '<>', '3<', '0<&'), any(path, number)),
    fc.constant('2>&1'),
    fc.constant('>&-'),
  )
  return {
    word: any(
      6,
      plain,
      3,
      path,
      2,
      number,
      all('$', name),
      all('"', any(plain, all('$', name), all('$(', command, ')')), '"'),
      all("'", fc.stringMatching(/^[ -&(-~]{0,8}$/), "'"),
      all(
        '${',
        name,
        fc.constantFrom(':-', ':=', ':+', ':?', '-', '#', '##', '%', '%%', '/'),
        any(plain, word),
        '}',
      ),
      all('${#', name, '}'),
      all('$(', command, ')'),
      all('`', fc.constantFrom('echo a', 'pwd', 'false'), '`'),
      all(
        '$((',
        any(number, name),
        fc.constantFrom('+', '-', '*', '/', '%', '<<', '==', '?1:', '**'),
        number,
        '))',
      ),
    ),
    simple: any(
      8,
      all(fc.constantFrom(...names), ' ', many(any(word, flags), ' ', 4)),
      3,
      fixed,
      2,
      all(variable, '=', word),
      all(variable, '=', word, ' ', command),
      all('[ ', test, ' ]'),
      all('test ', test),
      all('exit ', number),
      all(command, ' ', redirect),
      all(
        'cat <<',
        fc.constantFrom('E', "'E'", '-E'),
        '\n',
        any(plain, all('$', name)),
        '\n',
        fc.constantFrom('E', '\tE', 'F'),
        '\n',
      ),
    ),
    command: any(
      12,
      tie('simple') as fc.Arbitrary<string>,
      2,
      all(command, ' | ', command),
      all(command, fc.constantFrom(' && ', ' || ', '; ', ' & '), command),
      all('! ', command),
      all('( ', list, ' )'),
      all('{ ', list, '; }'),
      all(
        'if ',
        command,
        '; then ',
        list,
        fc.constantFrom('; fi', '; else :; fi', '; elif true; then :; fi'),
      ),
      all('for ', variable, ' in ', many(word, ' '), '; do ', list, '; done'),
      all('case ', word, ' in ', any(word, path), ') ', list, ' ;; *) : ;; esac'),
      all('while ', fc.constantFrom('false', 'read a', '[ "$x" != xx ]'), '; do ', list, '; x=x$x; done'),
      all('until true; do ', list, '; done'),
      all(fc.constantFrom('f', 'g', 'ls'), '() { ', list, '; }'),
    ),
    list: many(command, '; '),
    script: many(command, '\n', 6),
  }
})

const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(3),
  put: fc.constantFrom(
    '',
    '',
    '"',
    "'",
    ')',
    '(',
    '}',
    '{',
    '\\',
    '$',
    '`',
    ';',
    '&',
    '|',
    '\n',
    '<<',
    '#',
    '\r',
    '\u2028',
    ' ',
  ),
})

/** A shell script: most are of the grammar, some are damaged, and a few never end. */
export const shellScript: fc.Arbitrary<string> = fc.oneof(
  { weight: 200, arbitrary: script as fc.Arbitrary<string> },
  {
    weight: 60,
    arbitrary: fc
      .tuple(script as fc.Arbitrary<string>, fc.array(damage, { minLength: 1, maxLength: 3 }))
      .map(([text, damages]) =>
        damages.reduce((held, { at, cut, put }) => {
          const start = Math.floor(at * held.length)
          return held.slice(0, start) + put + held.slice(start + cut)
        }, text),
      ),
  },
  { weight: 10, arbitrary: fc.string({ unit: codePoint, maxLength: 40 }) },
  { weight: 1, arbitrary: endless },
)
