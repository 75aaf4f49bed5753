import { afterAll, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { inBash } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

const SCRIPTS: readonly string[] = [
  'echo -e \'a\\x41\' | tr a b; v=\'\\x41\'; echo -e $v | cat; echo -e "$v" > f; cat f; echo -e "x\\x41" >> f; cat f; x=$(echo -e \'\\x41\'); echo "$x"; if echo -e $v | grep -q A; then echo yes; fi',
  'f() { echo -e "\\033[1m$1\\033[0m"; printf "$1\\n" ; }; f hi; f \'a b\' | cat; f x > o; cat o; for i in 1 2; do echo -e "\\t$i\\x2e"; done; RED=\'\\033[0;31m\'; NC=\'\\033[0m\'; echo -e "${RED}red${NC}"; printf "${RED}red${NC}\\n"',
  "set -e; echo -e '\\x41' && printf '%b\\n' 'q\\x41'; n=5; printf \"n=$n %s\\n\" a; printf '%s\\n' \"$n\" | while read l; do echo -e \"l:$l\\x21\"; done",
  "printf '\\e[1m%s\\e[0m\\n' bold; printf '%-5s|%5s|\\x41\\n' a b; printf 'é\\u00e9\\n'; printf '%s\\x0a' a b; printf '%d%%\\x0a' 50; printf '\\\\x41\\n'; printf '\\x25s\\n'",
  "echo -ne '\\x41\\n'; echo -n -e 'a\\x41'; echo; echo -E 'a\\x41'; echo -eE 'a\\x41'; echo -Ee 'a\\x41'; echo 'a\\x41'; echo \"\\x41\" $((1+1)); echo -e \"$HOME\\x41$(echo q)\" | sed 's/.*A/A/'; echo -e a b   c; echo -e; echo -e ''; x='-e'; echo $x a",
]

it.each(SCRIPTS)('escapes give what they give in bash: %s', async (script) => {
  await using sandbox = await host.open()
  const { stdout, exitCode } = await sandbox.execute(script)
  expect({ stdout, exitCode }).toEqual(inBash(script))
})

it.each(["printf '\\xff'", "printf '\\377\\n'", "echo -e '\\0377'"])(
  'refuses bytes that are no text: %s',
  async (script) => {
    await using sandbox = await host.open()
    expect(await sandbox.execute(script)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'printf: text that is no UTF-8 is not available here\n',
    })
  },
)
