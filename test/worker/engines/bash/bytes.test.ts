import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MENDS } from '../../../../worker/engines/bash/mends.ts'
import { decode, encode, textOf, toBytes } from '../../../../worker/engines/bash/text/bytes.ts'
import { bundle, openShell, run } from './open-shell.ts'
import { BASH, inBash, inEngine } from './support/beside-bash.ts'

const SHOW = 'export LC_ALL=C.UTF-8; show() { od -An -tx1; }'

/** Scripts whose bytes are those of bash. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  'bytes that are no UTF-8 out of compound commands': [
    String.raw`{ printf '\xff\xfe\x80a'; } | show`,
    String.raw`{ printf '\xff\xc3\xa9'; echo é; } > f; show < f; { printf '\xc3'; printf '\xa9'; } > f; show < f`,
    String.raw`f() { printf '\xff\x80'; }; f > g; show < g; ( printf '\xff' ) > g; show < g; if true; then printf '\xfe'; fi > g; show < g`,
    String.raw`for i in 1 2; do printf '\xff'; done | show; while read -r l; do printf '\xff'; done <<< a > y; show < y; eval "printf '\xff'" | show`,
    'head -c 3000 /dev/urandom > b; { gzip -c b; } > b.gz; { gunzip -c b.gz; } | cmp - b && echo same; ( cat b ) > c; cmp b c && echo same',
    'echo hi > f; tar czf - f | { cat; } > z.tgz; tar tzf z.tgz; t() { tar cf - f; }; t | tar tf -',
    String.raw`echo "printf '\\xff'" > s.sh; bash s.sh | show; bash -c "printf '\\xff'" | show; printf 'a\xff' | xargs -0 printf %s | show`,
  ],
  'bytes that are no UTF-8 in variables': [
    'x=$(printf "\\xff"); printf %s "$x" | show; echo $\'\\xff\\377\' | show; x=$\'a\\xffb\'; echo "${x/a/z}" "${x%b}" "${x#a}" "${x:1:1}" ${#x} | show',
    'printf "a\\xff\\n" > h; while read -r l; do echo "$l" >> o; done < h; show < o; mapfile -t a < h; printf %s "${a[@]}" | show',
    "export X=$'\\xff'; printenv X | show; bash -c 'echo $X' | show; set -- $'\\xff' b; printf '%s\\n' \"$@\" | show; declare -A m; m[$'\\xff']=1; printf %s \"${!m[@]}\" | show",
    String.raw`[[ $'\xff' == $'\xff' ]] && echo eq; [ $'\xff' = $'\xfe' ] || echo ne; case $'\xff' in $'\xff') echo in;; esac; printf '%q\n' $'\xff' $'é\xff' é`,
    String.raw`touch $'m\xff'; ls m* | show; cat <<< $'\xff' | show; printf '\xff:b\n' | { IFS=: read -r a b; echo "$b$a"; } | show`,
    String.raw`head -c 300 /dev/urandom | tr -d '\0\n' > b; x=$(cat b); printf %s "$x" | cmp - b && echo same`,
    String.raw`printf '\xef\xbb\xbfa\n' > bom; { cat bom; } | show; x=$(cat bom); echo "$x" | show; read -r y < bom; echo "$y" | show`,
  ],
  'NUL bytes': [
    String.raw`printf 'a\0b\n\0' > f; x=$(cat f); printf %s "$x" | show; x=$(<f); printf %s "$x" | show; read -r y < f; printf %s "$y" | show; { read -r z; printf %s "$z"; } < f | show; while read -r l; do printf %s "$l"; done < f | show; tr '\0' x < f; IFS= read -r -d '' q < f; printf %s "$q" | show`,
  ],
  'characters beyond ASCII': [
    'echo é | while read -r l; do echo "<$l>" ${#l}; done; read -r -n 1 c <<< éa; echo "$c"; read -r -N 2 c <<< éüa; echo "$c"; mapfile -t a <<< é; echo "${a[0]}" ${#a[0]}',
    'exec 3<<< é; read -r -u 3 l; echo "$l" ${#l}; exec 4<<E\nü\nE\ncat <&4; echo é > f; exec 5< f; read -r -u 5 l; echo "$l"; while read -r -u 6 l; do echo "$l"; done 6< f',
    `echo 'Ã©'; { echo 'Ã©'; } | cat; x='Ã©'; echo "$x" | wc -c; echo "Ã©" >&2; printf 'Ã©\\n' 2>&1`,
    String.raw`printf 'é\n' >&2; cat <<< é >&2; echo é > f; cat f none-é 2>&1 | sort; cat f none-é > both 2>&1; sort both; printf 'x\xff\n' > f; dd if=f bs=1 count=2 2>/dev/null | show`,
    String.raw`{ printf 'é\n'; cat f-ü; } 2>&1 | sort; printf '\xc3'; printf '\xa9\n'; printf 'é%s\n' "$(cat <<< ü)" "$(printf '\xc3\xbc')"`,
  ],
}

for (const [kind, scripts] of Object.entries(SCRIPTS))
  for (const lines of scripts)
    test.skipIf(!existsSync(BASH))(`gives the bytes of bash with ${kind}: ${lines}`, async () => {
      const script = `${SHOW}\n${lines}`
      const { stdout, exitCode } = await inEngine(script)
      expect({ stdout, exitCode }).toEqual(inBash(script))
    })

test('standard error is text, whatever was written to it', async () => {
  const shell = await openShell()
  expect(
    await run(shell, String.raw`printf 'é\n' >&2; echo 'Ã©' >&2; cat <<< ü >&2; printf '\xff\n' >&2`),
  ).toEqual([0, '', 'é\nÃ©\nü\n\ufffd\n'])
})

test('any bytes become text and the same bytes again', () => {
  const pieces = [
    0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xff, 0xf4, 0x90, 0xc0,
  ]
  let seed = 1
  const next = (size: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % size
  }
  for (let turn = 0; turn < 3000; turn += 1) {
    const bytes = Buffer.from(Array.from({ length: next(12) }, () => pieces[next(pieces.length)] ?? 0))
    const text = textOf(bytes)
    expect(toBytes(text)).toEqual(bytes)
    expect(encode(decode(bytes.toString('latin1')))).toBe(bytes.toString('latin1'))
    const plain = bytes.toString()
    if (!plain.includes('\ufffd')) expect(text).toBe(plain)
  }
})

test('each mended place is once in the bundle, and overlaps no other', () => {
  const source = readFileSync(new URL(bundle), 'utf8')
  const places = MENDS.flatMap((mend) => mend.places)
  for (const [from] of places) expect(source.split(from), from).toHaveLength(2)
  const sorted = places
    .map(([from]) => ({ from, start: source.indexOf(from), end: source.indexOf(from) + from.length }))
    .sort((one, other) => one.start - other.start)
  sorted.slice(1).forEach(({ from, start }, index) => {
    expect(start, from).toBeGreaterThanOrEqual(sorted[index]?.end ?? 0)
  })
})
