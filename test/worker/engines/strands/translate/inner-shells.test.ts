// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { unlikeBash, withFiles } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

/** Scripts that another program runs, and programs by their paths. */
const INNER = [
  `xargs sh -c 'echo "$1"' _ < list`,
  "xargs -I{} sh -c 'echo {}' < list",
  "cat list | xargs -I{} sh -c 'echo a {} b'",
  "cat list | xargs -I{} bash -c 'wc -l < {}'",
  `cat list | xargs sh -c 'echo "$0" "$@"'`,
  `cat list | xargs -n1 sh -c 'cat "$0"'`,
  "cat list | xargs -n1 bash -c '[[ $0 == f ]] && echo yes || echo no'",
  "cat list | xargs -n1 sh -c 'sort $1 | head -1' _",
  `find . -name f -exec sh -c 'echo "$1"' _ {} \\;`,
  "find . -name f -exec sh -c 'wc -l < {}' \\;",
  "find . -name '[fg]' -exec bash -c 'echo \"${0##*/}\"' {} \\; | sort",
  `find . -type f -exec sh -c 'head -1 "$1"' _ {} \\; | sort`,
  "find . -name f -exec bash -c '[[ a == a ]] && echo t' \\;",
  `find . -name f -exec sh -c 'for f; do echo "$f"; done' _ {} +`,
  "find . -name f -exec sh -c 'exit 3' \\;",
  "cat list | xargs sh -c 'exit 3'",
  "cat list | xargs -n1 sh -c 'exit 255'",
  "cat list | xargs -I% sh -c 'grep -c a % nope'",
  `cat list | xargs -I{} sh -c 'echo "{}"' | sort`,
  `cat list | xargs -P2 -I{} sh -c 'echo "{}"' | sort`,
  "export x=1; cat list | xargs -I{} sh -c 'echo $x {}'",
  `cat list | xargs sh -c 'printf "%s|" "$@"' _`,
  "cat list | xargs sh -ec 'false; echo on' _",
  "cat list | xargs sh -c 'cat; echo $#' _",
  `find . -name f | while read x; do sh -c 'echo "$1"' _ "$x"; done`,
  'find . -name f -exec grep -c a {} nope \\;',
  "cat list | xargs -I{} sh -c 'cp {} {}.bak; ls {}.bak'",
  `cat list | xargs -I{} sh -c 'if [ -s {} ]; then echo "{} full"; fi'`,
  "cat list | xargs -I{} bash -c 'echo {} | tr a-z A-Z'",
  "cat list | xargs -I{} bash -c 'set -o pipefail; false | cat; echo $? {}'",
  "cat list | xargs -I{} sh -c 'ls {} nope 2>/dev/null'",
  "find . -name f -exec sh -c 'echo a > o; cat o' \\;",
  `find . -name f -exec /bin/sh -c 'sort "$1"' sh {} \\;`,
  `printf 'a b\\n' > 'n m'; find . -name 'n*' -exec sh -c 'cat "{}"' \\;`,
  `printf 'a b\\n' > 'n m'; find . -name 'n*' -exec sh -c 'cat "$1"' _ {} \\;`,
  `printf 'a b\\n' > 'n m'; find . -type f -exec sh -c 'for f do echo "<$f>"; done | sort' _ {} +`,
  "echo '-n' | xargs -I{} sh -c 'echo {} a'",
  "echo 'a%b' | xargs -I% echo %",
  'bash -c \'echo "${0##*/} ${#0} ${0}"\' a/b',
  'bash -c \'echo "${0##*/} $0"\' a/b x y',
  'printf \'echo "${0##*/}" "${0%%/*}"\\n\' > s; bash ./s',
  "find . -name f -exec sh -c 'exit 7' {} +; echo $?",
  "find . -name f -exec sh -c 'exit 7' \\; ; echo $?",
  "find . -name zz -exec sh -c 'exit 7' {} +; echo $?",
  "find nope f -exec sh -c 'echo $0' {} \\; ; echo $?",
  `find . \\( -name f -o -name g \\) -exec sh -c 'echo $(basename "$1")' _ {} \\; | sort`,
  "find . -name f -exec sh -c 'echo err >&2' \\; 2>&1",
  `cat list | xargs -n1 sh -c 'grep -c a "$1" nope; echo $?' _`,
  `cat list | xargs -n1 bash -c 'x=$(wc -l < $1); (( x > 2 )) && echo "$1 $x"' _`,
  `cat list | xargs -I{} bash -c 'for i in 1 2; do echo "{}$i"; done'`,
  `cat list | xargs -n1 sh -c 'f() { echo "f $1"; }; f "$1"' _`,
  "cat list | xargs -n1 bash -c 'set -euo pipefail; false | cat; echo no' _; echo $?",
  `cat list | xargs -n1 sh -c 'sort "$1" > "$1.s"; cat "$1.s"' _`,
  "cat list | xargs -I{} sh -c 'sort {} > {}.s'; cat f.s g.s",
  `cat list | xargs -n1 sh -c 'while read -r l; do echo "[$l]"; done < "$1"' _`,
  "cat list | xargs -n1 bash -c 'echo ${1^^}' _",
  "cat list | xargs -n1 sh -c 'cat <<E\n$1\nE\n' _",
  "ls | xargs -n1 sh -c 'echo *' | head -1",
  `find . -type f -name '[fg]' | xargs -I{} sh -c 'echo {} | sed "s/.*\\///"' | sort`,
  "find . -name '*.c' -exec bash -c 'echo $1' _ {} \\; ; echo $?",
  `find d -type f -exec sh -c 'mv "$1" "$1.x"' _ {} \\; ; ls d`,
  'find . -name f -exec rev {} \\;',
  'cat list | xargs rev',
  'cat list | xargs -n1 seq 2 2>/dev/null; echo 3 | xargs seq',
  "x=$(find . -name f -exec sh -c 'echo $1' _ {} \\;); echo $x",
  `f() { find . -name "$1" -exec sh -c 'echo "$1"' _ {} \\; ; }; f g`,
  "if find . -name f -exec sh -c 'true' \\; ; then echo y; fi",
  "set -e; cat list | xargs -n1 sh -c 'exit 1'; echo on",
  `find . -name f -exec sh -c 'echo "$@"' _ a {} b \\;`,
  `find . -name f -exec sh -c "echo '{}'" \\;`,
  "cat list | xargs -I{} sh -c 'test -f {} && echo {} ok'",
  `cat list | xargs -I{} sh -c '[ -f {} ] && echo "{}: $(wc -l < {})"'`,
  "cat list | xargs -I {} sh -c 'echo $0 {}' zero",
  "cat list | xargs -I {} sh -c 'echo $0' {}",
  `cat list | xargs -0 sh -c 'echo "$1"' _`,
  `find . -name f -print0 | xargs -0 -n1 sh -c 'echo "$1"' _`,
  `find . -name f -print0 | xargs -0 -I{} bash -c 'echo "{}"; cat "{}"'`,
  '/bin/echo a',
  '/bin/cat f; /usr/bin/sort f',
  '/bin/ls | /usr/bin/head -2',
  'cat list | xargs /bin/echo',
  'find . -name f -exec /bin/cat {} \\;',
  "/usr/bin/env bash -c 'echo ok'",
  'x=/bin/echo; $x a',
  '/bin/nope; echo $?',
  '[ -x /bin/cat ] && echo there',
  'echo /bin/cat',
  '/bin/[ -f f ] && echo yes',
  "/bin/sh -c 'echo $0'",
]

/** Those that cannot be right. */
const REFUSED = [
  "cat list | xargs -I e sh -c 'echo e'",
  "find . -name f -exec bash -c 'x=(1 2); echo ${x[1]}' \\;",
  'cat list | xargs bash',
  "printf 'echo hi\\n' > s; ls s | xargs sh",
  "printf 'echo hi\\n' > s; find . -name s -exec sh {} \\;",
  "printf 'echo hi $1\\n' > s; find . -name s -exec bash {} a \\;",
  "printf '#!/bin/sh\\necho hi $1\\n' > s; chmod +x s; find . -name s -exec {} a \\;",
  "printf '#!/bin/bash\\n[[ a == $1 ]] && echo hi $1\\n' > s; chmod +x s; echo a | xargs ./s",
  "printf '[[ a == $1 ]] && echo hi $1\\n' > s; chmod +x s; echo a | xargs bash s",
  'x=1; cat list | xargs -I{} sh -c "echo $x {}"',
  'find . -name f -exec zip t {} \\;',
  "printf 'a b\\n' > 'n m'; find . -name 'n*' -exec sh -c 'cat {}' \\;",
  "echo 'x;y' | xargs -I{} sh -c 'echo {}'",
  "echo '$HOME' | xargs -I{} sh -c 'echo {}'",
  "echo 5 | xargs -I{} sh -c 'echo $(({} + 1))'",
  "echo 5 | xargs -I{} bash -c '[[ {} -lt 7 ]] && echo small'",
  "echo ls | xargs -I{} sh -c '{} f'",
  "find . -name f -print -exec sh -c 'echo x' \\;",
  "find . -name f -exec sh -c 'cat; echo $?' \\;",
  'find . -name f -exec nope {} \\;',
  `echo f | xargs -I{} sh -c 'xargs -n1 sh -c "echo in" < {}'`,
  "find . -execdir sh -c 'pwd' \\;",
]

it('scripts that xargs and find run, and programs by their paths, print and answer what they do in bash', async () => {
  expect(await unlikeBash(host, INNER)).toEqual([])
})

it('scripts that may be wrong there are refused with status 2 and one line', async () => {
  const others: unknown[] = []
  for (const command of REFUSED) {
    const { exitCode, stdout, stderr } = await withFiles(host, command)
    if (exitCode !== 2 || stdout !== '' || !/^strands-shell: .* is not available here: .*\n$/.test(stderr))
      others.push({ command, exitCode, stdout, stderr })
  }
  expect(others).toEqual([])
})
