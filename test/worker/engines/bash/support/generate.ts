import { commandLine, FILES, sharedInput } from './generate-commands.ts'
import { Choices } from './random.ts'

/** A script of the shell language and common programs, by its seed. Ends with what its variables hold. */
export function generateScript(seed: number): string {
  const generator = new Generator(new Choices(seed))
  return [FILES, SETUP, ...generator.statements(2), DUMP].join('\n')
}

const SETUP = `n=7 k=3 s='hello world' t=a.b.c e= ; a=(one 'two words' three 4); declare -A m=([x]=1 [y]='b c')
f() { local n=$1; echo "f:$n:$#"; return $((\${#n} > 1)); }
g() { echo "$@" | tr a-z A-Z; }`

const DUMP = `echo "$n|$k|$s|$t|$e|\${#a[@]}|\${a[*]}|\${m[x]}|\${m[y]}"`

class Generator {
  readonly #of: Choices

  constructor(choices: Choices) {
    this.#of = choices
  }

  statements(depth: number): string[] {
    return this.#of.list(2, 5, () => this.#statement(depth))
  }

  #statement(depth: number): string {
    const simple = [
      () => `echo ${this.#words()}`,
      () => `echo ${this.#words()}; echo $?`,
      () => `printf '${this.#of.one(FORMATS)}\\n' ${this.#words()}`,
      () => `${this.#scalar()}=${this.#word()}`,
      () => `${this.#scalar()}=$(${commandLine(this.#of)})`,
      () => `${this.#of.one(['n', 'k'])}=$((${this.#arithmetic(2)}))`,
      () => `((${this.#of.one(ARITHMETIC_COMMANDS)})); echo $?`,
      () => this.#of.one(ARRAY_STATEMENTS),
      () => this.#of.one(BUILTINS),
      () => commandLine(this.#of),
      () => `${commandLine(this.#of)}; echo "\${PIPESTATUS[@]} $?"`,
      () => `${this.#of.one(['f', 'g'])} ${this.#words()} || echo no`,
      () => `${this.#test()} && echo yes || echo no`,
      () => `if ${this.#test()}; then echo T; else echo F; fi`,
    ]
    const compound = [
      () => `if ${this.#test()}; then\n${this.#body(depth)}\nelse\n${this.#body(depth)}\nfi`,
      () => `for w in ${this.#words()}; do\n${this.#body(depth)}\necho "w=$w"\ndone`,
      () => `for ((i = 0; i < ${this.#of.below(4)}; i++)); do\n${this.#body(depth)}\ndone`,
      () => `i=0; while [ $i -lt ${this.#of.below(4)} ]; do\n${this.#body(depth)}\ni=$((i + 1))\ndone`,
      () =>
        `case ${this.#word()} in\n${this.#of.one(PATTERNS)}) echo first ;;\n${this.#of.one(PATTERNS)})\n${this.#body(depth)}\n;;\n*) echo other ;;\nesac`,
      () => `(\n${this.#body(depth)}\n)`,
      () => `{\n${this.#body(depth)}\n} | sort | head -n 5`,
      () => `h() {\n${this.#body(depth)}\n}\nh ${this.#words()}`,
      () => `${commandLine(this.#of)} | while IFS= read -r line; do echo "[$line]"; done`,
      () =>
        `while IFS=${this.#of.one([',', ':', "' '"])} read -r p q r; do echo "$p-$q-$r"; done < ${this.#of.one(['list.csv', 'words.txt', 'numbers.txt'])}`,
      () =>
        `cat <<END | ${this.#of.one(['cat', 'sort', 'tr a-z A-Z', 'wc -l', 'sed s/o/0/g'])}\n${this.#word()} ${this.#expansion()}\n  $((n + k)) \\$n\nEND`,
      () => sharedInput(this.#of),
      () => `cat <<'END'\n${this.#word()} $n\nEND`,
      () => `${this.#scalar()}=$(\n${this.#body(depth)}\n)`,
      () =>
        `bash -c '${this.#of.one(['echo "$0 $1 $#"', 'exit 3', 'set -e; false; echo no', 'cat; echo end'])}' ${this.#words()} < words.txt; echo $?`,
    ]
    return this.#of.one(depth > 0 && this.#of.once(3) ? compound : simple)()
  }

  #body(depth: number): string {
    return this.#of.list(1, 2, () => this.#statement(depth - 1)).join('\n')
  }

  #scalar(): string {
    return this.#of.one(['s', 't', 'e', 'v'])
  }

  #words(): string {
    return this.#of.list(1, 3, () => this.#word()).join(' ')
  }

  #word(): string {
    return this.#of.one([
      () => this.#of.one(PLAIN),
      () => `"${this.#expansion()}"`,
      () => this.#expansion(),
      () => `"pre-${this.#expansion()}-post"`,
      () => `$((${this.#arithmetic(1)}))`,
      () => `'${this.#of.one(['single $n', 'a  b', '*', '\\n'])}'`,
    ])()
  }

  #expansion(): string {
    const name = this.#of.one(['n', 'k', 's', 't', 'e', 'none'])
    const array = this.#of.one(['a', 'm'])
    return this.#of.one([
      () => `$${name}`,
      () => `\${${name}}`,
      () => `\${#${name}}`,
      () =>
        `\${${name}${this.#of.one([':-', '-', ':+', '+'])}${this.#of.one(['def', '$n', 'a b', '"q r"'])}}`,
      () =>
        `\${${name}${this.#of.one(['#', '##', '%', '%%'])}${this.#of.one(['*.', '.*', '?', 'h*o', '*o', 'w*', '[a-h]', '* '])}}`,
      () =>
        `\${${name}${this.#of.one(['/', '//', '/#', '/%'])}${this.#of.one(['o', '.', '[aeiou]', '?', 'l*', 'd'])}${this.#of.one(['/X', '/', '/$k', ''])}}`,
      () =>
        `\${${name}:${this.#of.one(['0', '1', '2', 'k', '${#e}'])}${this.#of.one(['', ':1', ':2', ':n'])}}`,
      () => `\${${name}${this.#of.one(['^', '^^', ',', ',,', '^^[a-m]'])}}`,
      () =>
        `\${${array}[${array === 'a' ? this.#of.one(['0', '1', '-1', 'k', 'k-1', '9']) : this.#of.one(['x', 'y', 'zz'])}]}`,
      () => `\${a[${this.#of.one(['@', '*'])}]}`,
      () => `\${#a[${this.#of.one(['@', '*', '1'])}]}`,
      () => `\${!a[@]}`,
      () => `\${a[@]:${this.#of.one(['1', '1:2', ' -2', '0:1'])}}`,
      () => `\${a[@]${this.#of.one(['/o/0', '#t', '%e', '^', '^^', ',,'])}}`,
      () => `$(${this.#of.one(['echo sub', 'echo "a  b"', 'printf "x\\ny\\n"', 'f 3', 'true', 'echo $n'])})`,
      () => `\${${name}@${this.#of.one(['Q', 'U', 'L', 'u'])}}`,
      () => this.#of.one(['$#', '$?', '$@', '$*']),
    ])()
  }

  #arithmetic(depth: number): string {
    if (depth === 0 || this.#of.once(3))
      return this.#of.one([
        'n',
        'k',
        '$n',
        '2',
        '10',
        '1',
        '0',
        '7',
        '0x1f',
        '017',
        '2#101',
        '${#s}',
        '-3',
        '$(echo 4)',
      ])
    const left = this.#arithmetic(depth - 1)
    const right = this.#arithmetic(depth - 1)
    return this.#of.one([
      () => `${left} ${this.#of.one(BINARY)} ${right}`,
      () => `(${left} ${this.#of.one(BINARY)} ${right})`,
      () => `${left} ? ${right} : ${this.#arithmetic(depth - 1)}`,
      () => `${this.#of.one(['!', '~', '-'])}(${left})`,
      () => `${left} << ${this.#of.one(['1', '3', '40'])}`,
      () => `${left} ** ${this.#of.one(['0', '2', '5'])}`,
      () => this.#of.one(['n++', '++n', 'k--', 'n += 2', 'k *= 3', 'n = k']),
    ])()
  }

  #test(): string {
    return this.#of.one([
      () =>
        `[ "${this.#expansion()}" ${this.#of.one(['=', '!='])} ${this.#of.one(['hello', '"$k"', '7', "''"])} ]`,
      () => `[ ${this.#of.one(['-z', '-n'])} "${this.#expansion()}" ]`,
      () => `[ $n ${this.#of.one(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])} ${this.#of.below(10)} ]`,
      () =>
        `[ ${this.#of.one(['-e', '-f', '-d', '-s', '-r', '-x'])} ${this.#of.one(['words.txt', 'none', 'dir', 'empty.txt'])} ]`,
      () =>
        `[[ $s ${this.#of.one(['==', '!=', '='])} ${this.#of.one(['hello*', '*wor*', '"hello*"', '[gh]ello?*', '*'])} ]]`,
      () =>
        `[[ $s =~ ${this.#of.one(['^h', '(l+)o', 'x|w', '[0-9]+', 'o w', '^.{11}$'].map((e) => e.replace(' ', '\\ ')))} ]] && echo "\${BASH_REMATCH[*]}"`,
      () =>
        `[[ $n -gt 3 ${this.#of.one(['&&', '||'])} ${this.#of.one(['-n $e', '$k -lt 2', '! -e none', '( $n == 7 )'])} ]]`,
      () => `[[ ${this.#of.one(['-v n', '-v none', 'a < b', '-z $e', '$t == *.c'])} ]]`,
      () => `((${this.#arithmetic(1)}))`,
      () =>
        this.#of.one([
          'true',
          'false',
          '! true',
          'f 3',
          'f 9',
          'grep -q beta words.txt',
          'cmp -s words.txt words.txt',
        ]),
    ])()
  }
}

const BINARY = ['+', '-', '*', '/', '%', '<', '<=', '>', '>=', '==', '!=', '&&', '||', '&', '|', '^', ',']

const PLAIN = [
  'word',
  'a{b,c}d',
  '{1..4}',
  '{a..e..2}',
  '{05..07}',
  '*.txt',
  '?mpty*',
  'no*match',
  '"two  spaces"',
  '-n',
  'x=y',
  '~+x',
  '\\$n',
  '[a]',
  'dir/*',
  '{x,{y,z}}',
  "$'tab\\tx'",
  '!',
]

const FORMATS = [
  '%s',
  '<%s>',
  '%5s|',
  '%-6s|',
  '%q',
  '%s %s',
  '%d-',
  '%03d.',
  '%x',
  '%.2s',
  '%c',
  '%b',
  '%%%s',
  '%5.1f',
  '%i,%i',
  '%e',
  '%o',
]

const PATTERNS = ['hello*', '7', '[0-9]*', 'a|b', '*o*', '""', '?', '"$s"', 'w*d|x*', '[!a-z]*', '\\$n']

const ARITHMETIC_COMMANDS = [
  'n > 5',
  'n = k * 2',
  'k++',
  'n -= 3, k = 1',
  '0',
  'n && !k',
  'n <<= 2',
  'k = n > 3 ? 1 : 2',
  'n == 7',
  'a[0] = 5',
  'n % 2 == 0',
  'none',
  'n**2 > 40',
]

const ARRAY_STATEMENTS = [
  'a+=(five "six 6")',
  'a[7]=sparse; echo ${!a[@]}',
  "unset 'a[1]'; echo ${#a[@]} ${!a[@]}",
  'a=(); echo ${#a[@]}',
  'a=($s $t); echo ${a[1]}',
  'm[z]=new; echo ${#m[@]}',
  'for i in "${!a[@]}"; do echo "$i=${a[i]}"; done',
  'for w in "${a[@]}"; do echo "<$w>"; done',
  'IFS=, ; echo "${a[*]}"; unset IFS',
  'b=("${a[@]:1}"); echo "${b[0]}"',
  'mapfile -t lines < words.txt; echo ${#lines[@]} ${lines[1]}',
  'IFS=, read -ra parts <<< "x,y z,w"; echo "${parts[1]}" ${#parts[@]}',
  'printf "%s\\n" "${m[@]}" | sort',
  'for key in $(printf "%s\\n" "${!m[@]}" | sort); do echo "$key"; done',
  'a[k]+=more; echo "${a[k]}"',
  'unset "m[x]"; echo "${m[x]-gone}"',
  'b=("${a[@]/o/0}"); echo "${b[@]}"',
  'echo "${a[@]: -1}"',
  'a=([3]=x [1]=y); echo "${a[@]}" "${!a[@]}"',
  'declare -p a',
  'declare -i n=3; n+=4; echo $n',
  'readonly r=1; (r=2) 2> /dev/null; echo $? $r',
  'set -- p "q r" s; echo $# "$2" "${@:2}" "${*:1:2}"',
  'set -- p q r; shift; echo "$1" $#; shift 5; echo $?',
]

const BUILTINS = [
  'x=5 y=6; echo $((x * y))',
  'local z=1 2> /dev/null; echo $?',
  'read -r one two <<< "first second third"; echo "$two"',
  "IFS=: read -r u v w <<< 'p:q:r:s'; echo $w",
  'unset s; echo "${s-unset}"',
  'export E=1; env | grep -c ^E=',
  'type f > /dev/null && echo function',
  'cd dir && pwd | sed "s|.*/||"; cd ..',
  'test 3 -gt 2 -a 1 -lt 2; echo $?',
  'eval "echo \\$n $k"',
  'echo {a,b}$n',
  'true | false; echo $?',
  'set -o pipefail; false | true; echo $?; set +o pipefail',
  '! false; echo $?',
  '(exit 5); echo $?',
  'echo a b > out; cat < out; echo c >> out; wc -l < out',
  'echo err >&2; echo out 2>&1',
  '{ echo 1; echo 2; } > out; tail -1 out',
  'ls none 2> /dev/null || echo missing',
  'echo $(( $(echo 3) + $(wc -l < words.txt) ))',
  'false || { echo or; }',
  'true && echo and || echo not',
  'z=${none:=set}; echo $none $z',
  'printf -v z %03d 7; echo $z',
  'echo -e "a\\tb\\x41"',
  'echo -n no newline; echo',
  'let k+=2 "n = n - 1"; echo $k $n',
  'getopts ab: opt -a; echo $opt',
  'while getopts "ab:" o -a -b x; do echo "$o $OPTARG"; done; OPTIND=1',
  'shopt -s nullglob; echo no*match; shopt -u nullglob',
  'shopt -s extglob; [[ hello == +([a-z]) ]]; echo $?',
  'trap "echo bye" EXIT',
  'wait; echo $?',
  'command -v f',
  'break 2> /dev/null; echo on',
  'for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done',
  'for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; echo $i$j; done; done',
  'until [ $k -ge 5 ]; do k=$((k + 1)); done; echo $k',
  'echo "$(echo "nested $(echo "deep $n")")"',
  'diff <(echo a) <(echo b)',
  'cat <<< "$s" | wc -c',
  'exec 3> out3; echo three >&3; exec 3>&-; cat out3',
  'f() { echo new; }; f',
  'echo ${s//[^a-z]/_} ${t//./-}',
  'select_none=1; echo ${!select*}',
  'ref=n; echo ${!ref}',
  'declare -n nr=k; nr=9; echo $k',
  'declare -u up=abc; echo $up',
  'r() { [ $1 -le 0 ] && return; echo $1; r $(($1 - 1)); }; r 3',
  'v() { local IFS=-; echo "$*"; }; v a b c',
  'set -u; (echo $undefined_here) 2> /dev/null; echo $?; set +u',
  'set -e; (false; echo no); set +e',
  '(set -e; f 9 && echo x; echo y; false; echo z); echo $?',
]
