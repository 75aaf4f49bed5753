import { afterAll, describe, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { inBash } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

/** What a file of an image may begin with: no UTF-8, with line breaks, a carriage return and the byte 0. */
const BYTES = '\x89PNG\r\n\x1a\n\0\xffhello\n\xe9z\n'
const IN_BASH = `printf '${[...BYTES].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}' > b; : > e; `

async function withBytes(command: string) {
  await using sandbox = await host.open()
  await sandbox.execute('mkdir /tmp/w; cd /tmp/w; : > e')
  await sandbox.writeFile('/tmp/w/b', Buffer.from(BYTES, 'latin1'))
  const { exitCode, stdout, stderr } = await sandbox.execute(command)
  return { exitCode, stdout, stderr }
}

/** Commands that print and answer what they do in bash. */
const SAME = [
  'cat b | wc -c; cat b | wc -l; cat b | cat | wc -lc; cat < b | wc -c; wc -c < b; wc -l b; x=$(cat b | wc -c); echo $x',
  'f=b; cat "$f" | tee o | wc -c; cmp o b && echo same; g() { cat "$1" | wc -c; }; g b; while read -r n; do cat $n | wc -c; done <<< b; set -o pipefail; cat b | wc -c',
  'md5sum b; sha1sum < b; cat b | sha256sum; f=b; md5sum < $f | cut -c1-8; find . -name b -exec md5sum {} \\;',
  'cp b c; printf x >> c; cmp b c 2>/dev/null; echo $?; diff b c; echo $?; diff -q b c; diff b b && echo same; cat b | cmp - b && echo same; cat b | diff - b && echo same',
  'base64 b > t; cat t; base64 -d t > k; cmp b k && echo same; base64 -w0 < b | base64 -d > k2; cmp b k2 && echo same; cat b | base64 | wc -c',
  'od -An -tx1 b; od -c < b; xxd -p b; cat b | od -An -tx1',
  'head -c 4 b > o; xxd -p o; tail -c 3 b > o; xxd -p o; head -c -3 b > o; wc -c < o; head -c 5 < b > o; wc -c o; cat b | tail -c +3 > o; md5sum o; head -c 0 b; head -c 3 nope; echo $?; tail -c 2 b e > o; wc -c < o',
  'cat < b > o; wc -c o; cat b >> o; wc -c o; { cat b > p; }; for f in b; do cat "$f" > "c.$f"; done; wc -c p c.b; f=b; cat < $f > q; cmp q b && echo same; if cat b > r; then cmp r b && echo same; fi; cat b b > t; cat b* > u; wc -c t u; g() { cat "$1" > "$2"; }; g b z; (cat b > y); cmp z y && echo same',
  "printf '' | md5sum; md5sum < e; cat e | sha1sum; cat e | wc -c; base64 < e; cat e | base64; echo -n x | sha256sum; cmp e /dev/null && echo same",
]

/** Commands that read lines, or characters, of what has none. */
const REFUSED = [
  'cat b | awk 1',
  'awk 1 < b; echo on',
  "cat b | awk 'END { print NR }' | cat",
  'cat b | jq .',
  'cat b | rev',
  'cat b | wc -w',
  'cat b | md5sum -c | cat',
  'head -c 3 b | wc -c',
  'tail -c 3 b | wc -c',
  'sort -V b | cat',
  'base64 -d <<< /w== | cat',
  'cat b | tac 2>/dev/null | wc -l',
  'cat b; echo on',
  'cat e b 2>/dev/null; true',
  'cat < b; echo on',
  'cat *b | wc -c',
  'cat [b] b | md5sum; echo on',
  'x=$(cat b); echo "$x"',
  'x=$(< b); echo "$x"',
  'f=b; echo "$(cat "$f" e)"',
  'cat "$(echo b)"; true',
  'if cat b; then echo y; fi; echo on',
  'f() { cat "$1"; }; f b; f b > o; wc -c o',
  '{ cat b; echo x; } | md5sum',
  'for f in b e; do cat "$f"; done | wc -c',
  'while read -r f; do cat "$f"; done <<< b > o',
  'find . -name b -exec cat {} + | wc -c',
  'ls b | xargs cat > o; wc -c o',
  'tr a b < b; echo on',
  'cat b | tr -d x > o; wc -c o',
  'while read -r l; do echo "$l"; done < b; echo on',
  'while IFS= read -r l; do echo "$l"; done < b; echo on',
  'cat b | while read -r x y; do echo "$x"; done',
]

describe('bytes that are no UTF-8', () => {
  it.each(SAME)('%s prints and answers what it does in bash', async (command) => {
    const { exitCode, stdout } = await withBytes(command)
    expect({ exitCode, stdout }).toEqual(inBash(IN_BASH + command))
  })

  it.each(REFUSED)('%s is refused with status 2 and a line', async (command) => {
    const { exitCode, stderr } = await withBytes(command)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^[a-z0-9-]+: .+ not available here.*\n/)
  })
})
