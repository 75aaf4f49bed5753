import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BASH, inBash, inEngine } from './support/beside-bash.ts'

/** Programs that every awk treats alike. */
const SCRIPTS = [
  "printf 'a 1\\nb 2\\nc 3\\n' | awk '{ s += $2 } END { print s, s/NR, \"avg: \" s/2 }'",
  'awk \'BEGIN { print 0.1+0.2 "", 1/3 " x", 1e6 "", 3.0 "", -0.5 "" }\'',
  "printf '10\\n9\\nabc\\n' | awk '{ print ($1 > 5), ($1 < \"9\"), ($1 == 10) }'",
  "printf 'x,1\\ny,2\\nx,3\\n' | awk -F, '{ a[$1] += $2 } END { for (k in a) print k, a[k] }' | sort",
  'printf \'a b c\\n\' | awk \'{ $2 = "X"; print; print NF; $5 = "e"; print; NF = 2; print }\' OFS=-',
  'printf \'one two\\n\' | awk \'{ printf "%-10s|%5s|%05d|%.2f|%e|%g|%c|%x|%%\\n", $1, $2, 42, 3.14159, 12345.678, 0.0001, "hello", 255 }\'',
  "printf 'a\\nb\\na\\n' | awk '!seen[$0]++'",
  "printf '1\\n2\\n3\\n4\\n5\\n' | awk 'NR==2,NR==4'; printf '1\\n2\\n3\\n' | awk 'NR%2'; printf 'ab\\ncd\\n' | awk '/b/ { print \"m:\" $0; next } { print \"n\" }'",
  "awk 'function f(n) { return n <= 1 ? 1 : n * f(n-1) } BEGIN { print f(10); x = f(5); print x }'",
  'awk \'function fill(arr, n,  i) { for (i = 1; i <= n; i++) arr[i] = i*i } BEGIN { fill(sq, 4); for (i = 1; i <= 4; i++) printf "%d ", sq[i]; print length(sq) }\'',
  'printf \'k1=v1;k2=v2\\n\' | awk \'{ n = split($0, p, ";"); for (i=1;i<=n;i++) { split(p[i], kv, "="); print kv[1] " -> " kv[2] } }\'',
  'printf \'foo bar foo\\n\' | awk \'{ print gsub(/foo/, "[&]"), $0; sub(/bar/, "\\\\&"); print; print toupper($1), length($0), index($0, "bar"), match($0, /b.r/), RSTART, RLENGTH }\'',
  'printf \'a 1\\nb 2\\n\' > f; awk \'BEGIN { while ((getline line < "f") > 0) n++; print n; close("f"); getline x < "f"; print x }\'',
  'awk \'BEGIN { "echo hi" | getline x; print x; while (("printf \\"1\\\\n2\\\\n\\"") | getline l) print "l" l; system("echo sys"); print "b\\na" | "sort"; close("sort"); print "end" }\'',
  "printf '3 c\\n1 a\\n2 b\\n' | awk '{ print $2 > (\"out\" $1) } END { close(\"out1\") }'; cat out1 out2 out3; printf 'x\\n' | awk '{ print $0 >> \"out1\" }'; cat out1",
  'printf \'p1 l1\\np1 l2\\n\\np2 l1\\n\\n\\np3\\n\' | awk \'BEGIN { RS = "" } { print NR ": " $1 " " NF; n = split($0, l, "\\n"); print n }\'',
  "printf 'a:b:c\\n' | awk -F: -v OFS=, '{ print $1, $NF, $(NF-1); $1 = $1; print }'",
  "awk -v n=5 -v s='a\\tb' 'BEGIN { print n + 1, s; exit 3 } END { print \"end\" }'; echo $?",
  "printf '1,2\\n' | awk 'BEGIN { FS = \",\" } { print $1 + $2; print $1 $2; print $1 - -$2, -$1, !$1, 2^3^2, 7 % 3, -7 % 3 }'",
  'awk \'BEGIN { a["x","y"] = 1; for (k in a) { split(k, p, SUBSEP); print p[1], p[2] }; if (("x","y") in a) print "yes"; delete a["x","y"]; print length(a) }\'',
  "awk 'BEGIN { i = 5; do { i-- ; if (i == 3) continue; if (i == 1) break; print i } while (i > 0); for (;;) { if (++j > 3) break }; print j }'",
  'printf \'alice 30\\nbob 25\\n\' | awk \'BEGIN { printf "%-10s %s\\n", "Name", "Age" } { printf "%-10s %d\\n", $1, $2 } END { print "Total:", NR }\'',
  "printf 'a b\\n' > f1; printf 'c\\n' > f2; awk '{ print FILENAME, FNR, NR, $0 } END { print ENVIRON[\"HOME\"], ARGC, ARGV[1] }' f1 f2",
  "awk 'NR==FNR { m[$1] = $2; next } $1 in m { print $1, m[$1], $2 }' <(printf 'a 1\\nb 2\\n') <(printf 'a x\\nc y\\nb z\\n')",
  "printf 'GET /x 200\\nGET /y 404\\n' | awk '$3 >= 400 && /GET/ || /none/ { print $2 }'; printf 'a\\n' | awk '{ print }; END { print NR }'",
  'awk \'BEGIN { x["a"]; if ("a" in x) print "in"; if (!("b" in x)) print "not"; print x["c"] == 0, x["d"] == "", length(x) }\'',
  'awk \'BEGIN { printf "%s %d %5.1f%%\\n", "a", "12abc", 45.678; printf("%s-%s\\n", "x", "y"); print("a", "b"); print (1 > 2) ? "y" : "n" }\'',
  'awk \'BEGIN { print 1==1 ? "t" : "f"; print 1 " " 2; print 1 - 1 " " 2; print -1 " " -1; x = "A" ; x = x "B"; print x; print 5 " items" + 0 }\'',
  "printf 'l1\\nl2\\nl3\\n' | awk 'END { print $0, NR }'; printf 'a b c d\\n' | awk '{ for (i = NF; i > 0; i--) printf \"%s%s\", $i, (i > 1 ? OFS : ORS) }'",
  "printf '%s\\n' '2024-01-05 ERROR db' '2024-01-05 INFO x' '2024-01-06 ERROR y' | awk '/ERROR/ { c[$1]++ } END { for (d in c) print d, c[d] }' | sort",
  "printf 'a\\tb c\\td\\n' | awk -F'\\t' '{ print $2; print NF }'; printf 'a|b|c\\n' | awk -F'|' '{ print $2 }'; printf 'a.b.c\\n' | awk -F. '{ print $3 }'; printf 'a1b22c\\n' | awk -F'[0-9]+' '{ print $1 $2 $3 }'",
  "printf 'one\\ntwo\\nthree\\n' | awk '{ a[NR] = $0 } END { for (i = NR; i >= 1; i--) print a[i] }'; printf '5\\n3\\n9\\n' | awk 'NR == 1 || $1 > max { max = $1 } END { print max }'",
  "echo \"a b\" | awk '{ getline; print \"x\" $0 }'; printf '1\\n2\\n3\\n4\\n' | awk '{ getline n; print $0 + n }'",
  "printf 'x y\\n' | awk '{ $0 = \"p q r\"; print NF, $2 } { $3 = \"\"; print $0 \"|\" }'; echo 'a  b   c' | awk '{ $1 = $1 } 1'",
  "printf 'a b\\n' | awk '{ print $1, $2 > \"/dev/stderr\"; print \"out\" }' 2>&1 | sort; awk 'BEGIN { print length() }' </dev/null; echo abc | awk '{ print length, length($0) }'",
  'awk \'BEGIN { while (i++ < 3) { if (i == 2) continue; print i } }\n# comment\nfunction g(a, b) {\n  a = a + 1   # local\n  return a b\n}\nBEGIN {\n  print g(1, "z"),\n        g(2)\n}\'',
  'awk \'BEGIN { printf "%d %s\\n" , 3.99, 3.99; printf "%5s|%-5s|%05.1f|%+d|% d\\n", "ab", "cd", 2.55, 5, 6; printf "%.3s|\\n", "abcdef"; printf "%*d|\\n", 5, 42; printf "%i\\n", 7 }\'',
  'awk \'BEGIN { n = split("a  b c", x); print n, x[2]; n = split("", y); print n; n = split("abc", z, ""); print n, z[1]; n = split("a1b2c", w, /[0-9]/); print n, w[3] }\'',
  'seq 1 5 | awk \'BEGIN { ORS = " " } { print } END { printf "\\n" }\'; seq 1 3 | awk \'{ a = a $0 "," } END { sub(/,$/, "", a); print a }\'',
  "printf '1.5\\n2.5\\n' | awk '{ s += $1; ss += $1^2 } END { printf \"%.4f %.4f\\n\", s / NR, sqrt(ss/NR - (s/NR)^2) }'; awk 'BEGIN { print 100 * 1.1, 3.10, 1.0, 17 / 4, 1e-10, 123456.789, 1234567.89 }'",
]

describe.skipIf(!existsSync(BASH))('awk', () => {
  test.each(SCRIPTS)('gives what the awk of this machine gives: %s', async (script) => {
    const { stdout, exitCode } = await inEngine(script)
    expect({ stdout, exitCode }).toEqual(inBash(script))
  })
})

/** As gawk has it where awks differ. */
const GAWK: readonly (readonly [script: string, stdout: string])[] = [
  ["awk 'BEGIN { for (i = 0; i < 1000000; i++) s += i; print s }'", '499999500000\n'],
  ['awk \'BEGIN { print match("k=12", /([a-z])=([0-9]+)/, m), m[1], m[2] }\'', '1 k 12\n'],
  ['awk \'BEGIN { print gensub(/(a)(b)/, "\\\\2\\\\1", "g", "abab") }\'', 'baba\n'],
  ['awk \'BEGIN { print strftime("%Y-%m-%d", 0), toupper("é"), length("é") }\'', '1970-01-01 É 1\n'],
  [
    'awk \'BEGIN { a["b"] = 1; a["a"] = 2; PROCINFO["sorted_in"] = "@ind_str_asc"; for (k in a) print k; n = asorti(a, s); print n, s[1] }\'',
    'a\nb\n2 a\n',
  ],
]

test.each(GAWK)('awk has what gawk has: %s', async (script, stdout) => {
  expect(await inEngine(script)).toEqual({ stdout, stderr: '', exitCode: 0 })
})
