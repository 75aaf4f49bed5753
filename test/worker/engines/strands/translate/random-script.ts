/** What a script may have besides. */
export interface Extras {
  /** `set -o pipefail`. */
  readonly pipefail?: boolean
  /** `set -u`, and variables that are not set. */
  readonly unset?: boolean
}

/** Scripts of the grammar that Strands Shell has after translation, the same for the same numbers. */
export function randomScript(next: () => number, extras: Extras = {}): string {
  return new Generator(next, extras).script()
}

const TEXTS = [
  'abc',
  'a b',
  '',
  'x.tar.gz',
  '7',
  '042',
  '-3',
  'path/to/file.txt',
  'Ab*c',
  'k=v',
  'b,c;d',
  '0',
]
const FILES = `mkdir -p d/e .h; for f in one.c two.c three.h 'a b.c' .hid.c d/x.c d/e/y.c .h/z; do printf '%s\\n' "$f" 1 > "$f"; done`
const PATTERNS = [
  '*',
  '*.c',
  '[ot]*.c',
  '[!o]*',
  '?????.h',
  'd/*',
  '*/*.c',
  '*/',
  '.h*',
  '*.none',
  't*.[ch]',
  '"a "*',
  '\\*.c',
  '[[:lower:]]*.h',
]
/** Operands of comparisons. With `set -u` a name in one would be an error. */
const NUMERALS = ['7', '042', '-3', '1.5', '08', '', '12', '3 4', '(2+1)*2']
const NAMES = ['a', 'b', 'c', 'n', 'm']
const NUMBERS = ['n', 'm', '1', '2', '7', '0', '-4', '10']

class Generator {
  readonly #next: () => number
  readonly #options: readonly string[]
  readonly #unset: boolean
  #depth = 0
  #files = 0

  constructor(next: () => number, { pipefail = false, unset = false }: Extras) {
    this.#next = next
    this.#unset = unset
    this.#options = [
      'set -e',
      'set -u',
      'set -eu',
      ...(pipefail ? ['set -o pipefail', 'set -euo pipefail'] : []),
    ]
  }

  script(): string {
    const start = NAMES.map(
      (name) => `${name}=${quote(name === 'n' || name === 'm' ? String(this.#int(9)) : this.#one(TEXTS))}`,
    )
    const lines = Array.from({ length: 1 + this.#int(4) }, () => this.#statement())
    const options = this.#startOptions()
    return [FILES, 'p=', ...options, ...start, ...lines, ''].join('\n')
  }

  #startOptions(): string[] {
    if (this.#unset) return [this.#one(['set -u', 'set -u', 'set -eu', ':'])]
    return this.#int(6) === 0 ? [this.#one(this.#options)] : []
  }

  /** A command that may end the script. */
  #mayEnd(): string {
    const word = this.#one([
      '$nope',
      '"$nope"',
      '"$1"',
      '${nope?m}',
      '"${nope:?}"',
      '"${nope%x}"',
      '"${#nope}"',
      '${none-$nope}',
      '"${a:-$nope}"',
      '"${a+$nope}"',
      '"${nope:=d}" "$nope"',
      '"$@" $# "${b?}"',
      '$((gone+n))',
    ])
    const first = word.replace(/ .*/, '')
    return this.#one([
      `echo ${word}`,
      `printf '%s|' ${word}`,
      `[ -n ${first} ]`,
      `x=${first}`,
      `for i in ${word}; do echo "i $i"; done`,
      `f() { echo "f $#"; echo ${word}; echo end; }; f`,
      `f() { echo "f $1"; echo ${word}; echo end; }; f ${this.#word()}`,
      `f() { local x=${first}; echo end; }; f || echo no`,
      `[[ -n $a && -n ${first} ]]`,
      `case ${first} in d) echo d ;; *) echo star ;; esac`,
      `g() { echo ${word}; }; { echo g; g; echo end; } > out; cat out`,
      `{ echo 1; echo ${word}; echo 2; } > out; cat out`,
      `true && echo ${word} || echo or`,
      `if ! echo ${word}; then echo then; fi`,
    ])
  }

  #statement(): string {
    if (this.#unset && this.#int(5) === 0) return this.#mayEnd()
    if (this.#depth > 2) return this.#command()
    this.#depth++
    const text = this.#one<() => string>([
      () => this.#command(),
      () => this.#command(),
      () => `if ${this.#test()}; then ${this.#statement()}\nelse\n${this.#statement()}\nfi`,
      () => `for i in ${this.#words()}; do echo "$i"; ${this.#statement()}\ndone`,
      () =>
        `for ((i = 0; i < ${this.#int(4)}; i++)); do ${this.#int(3) === 0 ? 'continue; ' : ''}echo $i; done`,
      () =>
        `case "$${this.#name()}" in ${this.#one(['a*', '*.gz', '[0-9]*', '?', "''"])}) ${this.#command()} ;; *) echo other ;; esac`,
      () => `w=0; while (( w < ${this.#int(4)} )); do ${this.#command()}; w=$((w + 1)); done`,
      () => `${this.#test()} && ${this.#command()} || echo no`,
      () => `${this.#lines()} | while read -r x y; do echo "[$y$x]"; done`,
      () => `${this.#lines()} | { read -r x; echo "first $x"; cat; }`,
      () => `( ${this.#statement()}\n)`,
      () => `{ ${this.#statement()}\n}`,
      () => `f() { local a="$1"; ${this.#statement()}\nreturn ${this.#int(3)}; }; f ${this.#word()}`,
      () =>
        `if true; then\ncat <<E\n${this.#one(TEXTS)} $${this.#name()} $((${this.#arithmetic()}))\n"q" \\$x\nE\nfi`,
      () => `for i in ${this.#pattern()} ${this.#word()}; do echo "[$i]"; ${this.#command()}\ndone`,
      () =>
        `f() { for i in "$@"; do case "$i" in ${this.#casePattern()}) return ${this.#int(3)} ;; esac; echo "$i"; done; ${this.#statement()}\n}; f ${this.#words()}; echo "r$?"`,
      () => `f() { if [ "$1" -gt 0 ]; then echo "n$1"; f $(($1 - 1)); fi; }; f ${this.#int(4)}`,
      () =>
        `u=${this.#int(3)}; until [ "$u" -ge 3 ]; do u=$((u + 1)); [ "$u" -eq 2 ] && continue; ${this.#command()}\ndone`,
      () => `cat <<E | ${this.#filter()}\n${this.#one(TEXTS)}\n$${this.#name()}\nE`,
      () => `f() {\n  cat <<E\n<$1> \\$${this.#one(['a', 'b'])} \`echo x\`\nE\n}\nf ${this.#word()}`,
      () =>
        `case "$${this.#name()}" in ${this.#casePattern()}|${this.#casePattern()}) ${this.#command()} ;; ${this.#casePattern()}) echo second ;; *) ${this.#statement()}\n;; esac`,
      () =>
        `if ${this.#test()} && ! ${this.#test()} || ${this.#test()}; then ${this.#command()}; elif ${this.#test()}; then echo elif; fi; echo "$?"`,
      // A subshell without a variable has status 1 in bash.
      () => `( cd d && ${this.#command()}; exit ${this.#int(4)} ); ${this.#unset ? '' : 'echo "$?"'}`,
      () => `while read -r line; do echo "<$line>"; done <<'E'\none $a\n  two\nE`,
      () => `x=$(${this.#lines()} | ${this.#filter()}); echo "$x"`,
    ])()
    this.#depth--
    return text
  }

  #command(): string {
    if (this.#unset && this.#int(8) === 0) return this.#mayEnd()
    return this.#one<() => string>([
      () => `echo ${this.#words()}`,
      () => `echo ${this.#words()}`,
      () => `printf '%s|' ${this.#words()}; echo`,
      () => `${this.#one(['a', 'b', 'c'])}=${this.#word()}`,
      () => `echo $((${this.#arithmetic()}))`,
      () => `((n = ${this.#arithmetic()})); echo "$n $?"`,
      () => `${this.#lines()} | ${this.#filter()}`,
      () => `${this.#lines()} | ${this.#filter()} | ${this.#filter()}`,
      () => `cat <<< ${this.#word()}`,
      () => `read -r x y <<< "$a $b"; echo "$y-$x"`,
      () => `echo ${this.#word()} &> out${++this.#files}; cat out${this.#files}`,
      () => `echo -e 'a\\tb'; echo -n x; echo`,
      () => `seq ${1 + this.#int(4)} | ${this.#filter()}`,
      () => `[ "$${this.#name()}" = abc ]; echo $?`,
      () => `${this.#test()}; echo $?`,
      () => `x=$(false); echo "s$?"`,
      () => `false | cat; echo $?`,
      () => `! ${this.#test()}; echo $?`,
      () => `echo ${this.#pattern()} ${this.#pattern()}`,
      () => `printf '<%s>' ${this.#pattern()}; echo`,
      () => `cat ${this.#one(['*.c', 't*', 'd/*.c', '[ot]*'])} | ${this.#filter()}`,
      () => `p='${this.#one(['*.c', 't*', '*.none'])}'; echo $p "$p"`,
      () => `set -- ${this.#words()} ${this.#pattern()}; echo "$# $1 \${2-none}"; shift; echo "$#"`,
      () => `ls ${this.#one(['*.c', 'd', 'one.c two.c', '*', 'd/*'])}`,
      () => `grep -l 1 ${this.#one(['*.c', 't*', 'd/*.c'])} || echo none`,
      () => `wc -l ${this.#one(['*.c', 'one.c', 'd/*.c'])}`,
      () => `head -n 1 ${this.#one(['*.c', 'one.c', 'd/*.c three.h'])}`,
      () => `x=${quote(this.#one(NUMERALS))}; [[ $x -lt ${this.#int(9)} ]]; echo $?`,
      () => `[ "$${this.#name()}" -lt ${this.#int(9)} ] || echo "t$?"`,
      () =>
        `echo "\${${this.#name()}:-${this.#one(TEXTS).replaceAll(';', '')}}" "\${none-d}" "\${none:+x}" "\${#${this.#name()}}"`,
      () => `x=$(echo ${this.#words()}; ${this.#test()}); echo "$x $?"`,
      () => `echo "$(basename ${quote(this.#one(TEXTS))}x)" "$((${this.#arithmetic()}))"`,
      () => `local_() { local a=${this.#word()}; echo "$a"; }; local_; echo "$a"`,
      () => `eval "echo ${this.#one(['$a', '\\$a', 'x y'])}"`,
      () => `IFS=, read -r x y <<< ${this.#word()}; echo "$x|$y"`,
      () => `find . -type ${this.#one(['d', 'f', 'd -name d', 'f -name "*.c"'])} | sort`,
      () => `find d -type f -exec ${this.#one(['wc -l', "grep -c 'c\\|x'", 'head -1'])} {} \\; | sort`,
      () => `find . -name ${this.#one(['\\*.c', "'[ot]*'", '"*.h"'])} | sort`,
      () =>
        `test ${this.#one(['-f one.c', '-d d', '-e none', '-n "$a"', '-z "$a"', '"$a" = "$b"', '! -f d'])}; echo $?`,
      () => `basename "${this.#one(['/a/b.c', 'x', 'a/b'])}"`,
    ])()
  }

  #lines(): string {
    return this.#one([
      `printf '%s\\n' b a c a`,
      `printf '3\\n10\\n2\\n'`,
      `printf 'x y\\nz w\\n'`,
      'seq 5',
      `echo ${this.#words()}`,
    ])
  }

  #filter(): string {
    return this.#one([
      'head -2',
      'tail -1',
      'head -n 3',
      'sort',
      'sort -rn',
      'uniq',
      'sort -u',
      'wc -l',
      'tr a-z A-Z',
      'grep a',
      'grep -c a',
      'cat',
      'tac',
      'sed s/a/b/',
      'cut -c1',
      'grep -m1 .',
      'xargs',
      'xargs -n1 echo',
      'rev',
      'nl',
      'nl -w3 -s: -v0',
      "grep 'a\\|[0-9]'",
      "grep -v 'b+'",
      "grep -E '^(a|[[:upper:]])+'",
      "grep -on '[a-z]*'",
      'grep "$a"',
      'grep -c -e "$b" -e "($c"',
      "sed 's/(*a)*/<&>/'",
      "sed -E 's/(a|b) ?/[\\1]/g'",
      "sed '/[ab]\\{1,2\\}/d'",
      'sed "s,$n+,N,"',
      "cut -d' ' -f2",
      'cut -d= -f1 -s',
    ])
  }

  #test(): string {
    const name = this.#name()
    return this.#one([
      `[[ $${name} == ${this.#one(['a*', 'abc', '*.gz', '"a b"', '?', '[0-9]*'])} ]]`,
      `[[ $${name} =~ ^[a-z]+$ ]]`,
      `[[ -n $${name} && $n -lt 5 ]]`,
      `[[ -z $${name} || ! $m -eq 3 ]]`,
      `[[ ( $${name} != abc ) ]]`,
      `(( ${this.#arithmetic()} ))`,
      `[ "$n" -gt 3 ]`,
      `test -n "$${name}"`,
    ])
  }

  #arithmetic(depth = 0): string {
    if (depth > 2 || this.#int(3) === 0) return this.#one(NUMBERS)
    const operator = this.#one(['+', '-', '*', '/', '%', '<', '==', '&&', '||', '&', '|', '^', '<<'])
    const left = this.#arithmetic(depth + 1)
    const right = operator === '<<' ? String(this.#int(5)) : this.#arithmetic(depth + 1)
    return this.#one([
      `${left} ${operator} ${right}`,
      `(${left}) ${operator} (${right})`,
      `${left} > 2 ? ${right} : 5`,
      `n${this.#one(['++', '--'])} + ${right}`,
    ])
  }

  #words(): string {
    return Array.from({ length: 1 + this.#int(3) }, () => this.#word()).join(' ')
  }

  #word(): string {
    const name = this.#name()
    return this.#one([
      quote(this.#one(TEXTS)),
      `"$${name}"`,
      `"<\${${name}}>"`,
      `"\${${name}:${this.#int(4)}}"`,
      `"\${${name}:${this.#int(3)}:${this.#int(3)}}"`,
      `"\${${name}: -2}"`,
      `"\${${name}/${this.#one(['a', 'b*', '?', '.'])}/X}"`,
      `"\${${name}//${this.#one(['a', 'b', '[0-9]'])}/}"`,
      `"\${${name}^^}"`,
      `"\${${name}%%.*}"`,
      `"\${${name}#*/}"`,
      `"\${${name}#"$a"}"`,
      `"\${${name}%'c'*}"`,
      `$${name}`,
      `\${${name}}x`,
      `x{1..3}`,
      `{a,"b c"}$n`,
      `"\${#${name}}"`,
      `"\${nope:-$${name}}"`,
      `{1..${1 + this.#int(4)}}`,
      `x{a,b${this.#int(2) === 0 ? ',' : ''}}y`,
      `$((${this.#arithmetic()}))`,
      `"$(echo ${quote(this.#one(TEXTS))})"`,
      `$'t\\tn'`,
      `lit${this.#int(9)}`,
    ])
  }

  #pattern(): string {
    return this.#one(PATTERNS)
  }

  #casePattern(): string {
    return this.#one([
      'a*',
      '*.gz',
      '[0-9]*',
      '?',
      "''",
      '"a b"',
      '"$b"',
      '"$c"*',
      "*'*'*",
      '\\*',
      '[!a-z]*',
      'k=v',
      '-*',
    ])
  }

  #name(): string {
    return this.#one(NAMES)
  }

  #int(below: number): number {
    return Math.floor(this.#next() * below)
  }

  #one<Item>(items: readonly Item[]): Item {
    const item = items[this.#int(items.length)]
    if (item === undefined) throw new Error('nothing to choose from')
    return item
  }
}

function quote(text: string): string {
  return `'${text}'`
}
