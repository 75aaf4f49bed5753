/** A generator of numbers from 0 to 1 that repeats itself for a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const READERS = [
  'cat f',
  'ls',
  'ls -la d',
  'grep -n a f',
  'grep -rn a .',
  'head -n 1 f',
  'tail -n 2 f d/g',
  'wc -l f',
  'sort f',
  'sort -rnk2 f',
  'uniq f',
  'uniq -c',
  'cut -d a -f 1 f',
  'tr a b',
  'find . -name f',
  'find . -exec cat {} +',
  'find d -type f -exec grep -n a {} \\;',
  'echo hi',
  'echo "a b"',
  "printf '%s\\n' x",
  'pwd',
  'cd d',
  'cd',
  'true',
  'false',
  ':',
  'test -f f',
  '[ -d d ]',
  '[ ! -e q ]',
  'basename a/b',
  'dirname a/b',
  'date',
  'jq .',
  'readlink l',
  'sleep 0',
  'env',
  'export A=1',
  'x=1',
  'x=$y',
  'x=1 ls',
  'set -e',
  'set +e',
  'set -- a b',
  'shift',
  'unset x',
  'read x',
  'sed -n 1p f',
  'sed s/a/b/g f',
  "sed -e '/a/d' -e '$p' f",
  'xargs cat',
  'xargs -I X echo X',
  'type ls',
  'command -v cat',
  'exit',
  'return',
  'break',
  'cat < f',
  'cat d/* 2>/dev/null',
  'ls nothing 2>&1',
  'echo e >&2',
  'ls > /dev/null',
  'wait',
  'umask',
  'local a=1',
]
const WRITERS = [
  'touch N',
  'echo w > N',
  'echo w >> f',
  'rm -r d',
  'mv f N',
  'cp f N',
  'mkdir N',
  'tee N',
  'sed -i s/a/b/ f',
  "sed -n 'w N' f",
  'sed s/a/b/w f',
  'sort -o N f',
  'uniq f N',
  'find . -exec touch N \\;',
  'find . -delete',
  'xargs touch',
  'xargs rm',
  'chmod 700 f',
  'ln -s f N',
  "lua -e \"io.open('N', 'w')\"",
  'sh s',
  '> N',
  'cat <> N',
  'echo x >| N',
  '{ echo x; } >&2',
  'mktemp N.XXXXXX',
  'true & touch N',
  'x=1 touch N',
]
const DEFINERS = [
  'alias ls=pwd',
  "trap 'touch N' EXIT",
  'cat() { touch N; }',
  'eval touch N',
  '. ./s',
  'exec touch N',
  'command touch N',
  '$t N',
  't"ouc"h N',
  '\\touch N',
  "'touch' N",
  'unalias [',
  'unset -f __ssr_bracket',
]
const WORDS = [
  '$(cat f)',
  '"$(ls)"',
  '`pwd`',
  '"`pwd`"',
  '$(touch N)',
  '"$(touch N)"',
  '`touch N`',
  '$(( 1 + 2 ))',
  '$((x=1))',
  `\${x:-a}`,
  `"\${x}"`,
  `\${x:-$(touch N)}`,
  '$x',
  '"$@"',
  "'a b'",
  "'$(touch N)'",
  '"a\nb"',
  "'\ntouch N\n'",
  '*',
  'd/*',
  '-i',
  '-n',
  '-o',
  '-exec',
  '{}',
  '\\;',
  '+',
  'in',
  'do',
  'then',
  '{',
  '}',
  '!',
  'fi',
  'done',
  '#',
  'a#b',
  '\\#',
  '~',
  "$(echo ')'; touch N)",
  '"$(echo ")")"',
  '$(echo a # )',
  '\\',
  '2',
  '=',
  'a=b',
  '""',
  '"$x"',
  '[',
  ']',
  '(',
  ')',
]
const SEPARATORS = [
  '; ',
  '\n',
  ' && ',
  ' || ',
  ' | ',
  ' & ',
  ' &&\n',
  ' |\n',
  '\n\n',
  ' # c\n',
  ' \\\n',
  ';;',
]
const NASTY = [
  "'",
  '"',
  '`',
  '$',
  '(',
  ')',
  '{',
  '}',
  '#',
  '\\',
  '\n',
  ';',
  '|',
  '&',
  '<',
  '>',
  ' ',
  '!',
  '=',
  '<<E',
  '$(',
  `\${`,
]

/** A random command: readers and writers, joined and nested in all ways, now and then with a broken character. */
export function randomCommand(next: () => number): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T
  const chance = (probability: number) => next() < probability
  const word = () => pick(WORDS)
  const simple = (): string => {
    const text = chance(0.8) ? pick(READERS) : chance(0.8) ? pick(WRITERS) : pick(DEFINERS)
    return chance(0.35) ? `${text} ${word()}` : text
  }
  const list = (depth: number): string => {
    let text = command(depth)
    while (chance(0.4)) text += pick(SEPARATORS) + command(depth)
    return text
  }
  const delimiter = () => pick(['E', "'E'", '"E"', '\\E'])
  const body = () =>
    pick(['text', 'touch N', '$(touch N)', '`touch N`', 'text\n\ntouch N', 'a\\\ntouch N', '$x'])
  const command = (depth: number): string => {
    if (depth === 0 || chance(0.5)) return simple()
    const inner = () => list(depth - 1)
    return pick([
      () => `( ${inner()} )`,
      () => `{ ${inner()}; }`,
      () => `if ${inner()}; then ${inner()}; fi`,
      () => `if ${inner()}\nthen\n${inner()}\nelse ${inner()}\nfi`,
      () => `for i in a ${word()}; do ${inner()}; done`,
      () => `for i in ${word()}\ndo\n${inner()}\ndone`,
      () => `while read l; do ${inner()}; done < f`,
      () => `case ${word()} in a) ${inner()};; *) ${inner()};; esac`,
      () => `echo $(${inner()})`,
      () => `echo "$(${inner()})"`,
      () => `cat \`${inner()}\``,
      () => `${inner()} > /dev/null`,
      () => `{ ${inner()}; } | ${simple()}`,
      () => `! ${inner()}`,
      () => `cat <<${delimiter()}\n${body()}\nE\n${inner()}`,
      () =>
        `cat <<${delimiter()} ${pick(['', '|', '&&', ';', '| cat', '; if true; then'])}\n${body()}\nE\n${inner()}`,
    ])()
  }
  let text = list(3)
  while (chance(0.25)) {
    const at = Math.floor(next() * text.length)
    text = text.slice(0, at) + (chance(0.5) ? pick(NASTY) : '') + text.slice(at + (chance(0.5) ? 1 : 0))
  }
  return text.replaceAll('N', `n${Math.floor(next() * 1e9)}`)
}
