// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the expansions are the shell's
import { afterAll, describe, expect, it } from 'vitest'
import { ShellHost } from '../../../../../src/index.ts'
import { inBash, unlikeBash, withFiles } from './in-bash.ts'

const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

/** Commands that print and answer what they do in bash, by what they are about. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  awk: [
    "printf 'region,product,qty,price\\nnorth,apple,10,1.50\\nsouth,pear,5,2.25\\nnorth,pear,8,2.25\\neast,apple,20,1.40\\n' > s; awk -F, 'NR>1 { rev[$1] += $3*$4; n[$1]++ } END { for (r in rev) printf \"%-8s %3d %10.2f\\n\", r, n[r], rev[r] }' s | sort; awk -F, 'NR==1 {for(i=1;i<=NF;i++) h[i]=$i; next} {print h[3] \"=\" $3, h[4] \"=\" $4}' s; awk -F, 'NR>1 && $3 > max { max=$3; line=$0 } END { print \"max:\", line }' s; awk -F',' 'NR>1 {total += $3 * $4} END {print total}' s; awk -F, '$1 == \"north\" {c++} END {print c+0}' s",
    "printf '10.0.0.1 - - [01/Jan/2024:10:00:00] \"GET /api/users HTTP/1.1\" 200 123\\n10.0.0.2 - - [x] \"POST /l HTTP/1.1\" 401 45\\n' > a; awk '{print $1}' a | sort | uniq -c; awk '{s[$8]++} END {for (k in s) print s[k], k}' a | sort -k2; awk -F'\"' '{print $2}' a | awk '{print $2}'; awk '$(NF-1) >= 400 {print $0}' a; awk '{ if ($NF > 100) { print \"big\"; } else print \"small\" }' a; awk '/GET/ && !/POST/' a",
    "echo 'the cat the dog' | awk '{ for (i=1;i<=NF;i++) { w=tolower($i); gsub(/[^a-z]/,\"\",w); if (w!=\"\") c[w]++ } } END { for (w in c) print c[w], w }' | sort -k1,1nr -k2; printf 'b\\na\\nb\\n' | awk '!s[$0]++'; seq 5 | awk '{a[NR]=$1; s+=$1; ss+=$1*$1} END {m=s/NR; printf \"n=%d mean=%.2f sd=%.3f median=%s\\n\", NR, m, sqrt(ss/NR-m*m), (NR%2)?a[(NR+1)/2]:(a[NR/2]+a[NR/2+1])/2}'",
    'printf \'# T\\n## In stall\\ntext\\n### From\\n\' | awk \'/^##+ /{ l=length($1)-2; t=$0; sub(/^#+ /,"",t); a=tolower(t); gsub(/[^a-z0-9 -]/,"",a); gsub(/ /,"-",a); printf "%*s- [%s](#%s)\\n", l*2, "", t, a }\'; awk \'BEGIN { while ((getline line < "nope") > 0) n++; print n+0; x = "A"; x = x "B" 1+1; print x; print -2^2, 2^3^2, 10%3, 1e3, 0.1+0.2, 1/3, 100000000, 1e20, 2^53+1 }\'',
    'printf \'k=1 # c\\n\\nz = 2\\n\' | awk -F\' *= *\' \'/^[a-z]/ { split($2, p, / *#/); print $1 "->" p[1] }\'; echo \'a:b:c\' | awk \'BEGIN{FS=OFS=":"}{$2="X"; print; print NF; $5="e"; print; NF=2; print}\'; echo \' a  b \' | awk \'{$1=$1}1\'; echo \'x\' | awk \'{print $3 "|" NF}\'; awk \'BEGIN{print length("é"), substr("héllo",2,2), index("héllo","l"), toupper("abc")}\' | tail -c 20 | wc -l; awk \'BEGIN { printf "%s %d %5.1f|%-5s|%05d|%c%c|%x|%o|%e|%g|%%|%+d\\n", "s", 3.99, 3.14159, "ab", 42, 65, "hello", 255, 8, 12345.678, 0.0001, 5 }\'',
    'printf \'a 1\\nb 2\\na 3\\nc 4\\n\' > d; awk \'{a[$1]=a[$1]?a[$1]","$2:$2} END{for(k in a) print k, a[k]}\' d; awk \'function f(n){return n<2?n:f(n-1)+f(n-2)} BEGIN{print f(15)}\'; awk \'{printf "%s%s", $2, (NR%2?" ":"\\n")}\' d; awk \'END{print NR, NF, $0}\' d; awk -v n=2 \'BEGIN{split("x:y:z",p,":"); print p[n]}\'; awk \'BEGIN{while((getline l < "d")>0) n++; close("d"); print n}\'; awk \'/a/,/c/{print NR": "$0}\' d; awk \'{ $1=""; sub(/^ /,""); print }\' d; awk \'match($0,/[0-9]+/){print RSTART, RLENGTH, substr($0,RSTART,RLENGTH)}\' d; awk \'FNR==NR{x[$1]=$2;next} ($1 in x){print $1, x[$1], $2}\' d d; awk \'NR==2,NR==3\' d; awk \'ORS=NR%2?",":"\\n"\' d; awk \'{print > "o_" $1}\' d; cat o_a o_b',
    'awk \'BEGIN{s="aaa"; print gsub(/a/,"b&",s), s; t="hello"; gsub(/l+/,"[&]",t); print t; u="a.b.c"; gsub(/\\./,"-",u); print u; v="path/to"; gsub("/","\\\\",v); print v; w="x&y"; gsub(/&/,"\\\\&amp;",w); print w; e="abc"; gsub(/x*/,"-",e); print e; print gensub(/(a)(b)/,"\\\\2\\\\1","g","abab"); n="foo123bar"; if (match(n,/([a-z]+)([0-9]+)/,m)) print m[1], m[2], m[0]; print substr("hello",2), substr("hello",-1,3) "|", substr("hello",4,9)}\'',
    'awk \'BEGIN { x["a"]=1; f(x); print x["a"], length(x); delete x["a"]; print length(x); if (!("a" in x)) print "gone"; y[1,2]=3; for (k in y) { split(k,q,SUBSEP); print q[1], q[2] }; if ((1,2) in y) print "in"; do { i++ } while (i < 3); print i; for (;;) { if (++j > 3) break; if (j == 2) continue; printf "%d ", j }; print "" } function f(z) { z["a"]=2; z["b"] }\'',
    "printf 'commit a\\nAuthor: X\\n\\n    Fix\\n\\ncommit b\\nAuthor: Y\\n' > log; awk '/^commit/{h=$2} /^Author/{a=$2} /^    /{sub(/^ +/,\"\"); print h\" \"a\": \"$0}' log; awk 'BEGIN{RS=\"\";FS=\"\\n\"}{print NR\": \"$1\" / \"$NF}' log; awk -v RS= '/Y/' log; awk 'BEGIN{RS=\";\"} {print NR, $0}' <<< 'a;b;c'; echo 'a1b22c' | awk -F'[0-9]+' '{print $1,$2,$3, NF}'; echo 'a|b' | awk -F'|' '{print $2}'; echo 'a||b' | awk -F'\\\\|\\\\|' '{print $2}'; printf 'a\\tb c\\n' | awk -F'\\t' '{print $2}'; printf 'x,y\\n' | awk 'BEGIN{FS=\",\"; OFS=\"-\"} {print $1,$2; $1=$1; print}'",
    'awk \'BEGIN{if (!(3 > 2) || "abc" ~ /^a.c$/ && "10" < "9") print "y"; print (1==1.0), ("a"<"b"), (2<10), ("2"<"10"), 1 " " 2, 1 - 1, -3 % 2, int(-3.7); print length(12345), 1==1 ? "t" : "f"; a = b = 3; a += 2; a ^= 2; print a, b++ + ++b, b--, b; print !x, !1, - -3; $0 = "p q r"; print $2, NF; $3 = ""; print $0 "|"; print substr("x", 1, 0) "e"; exit 3 } END { print "end" }\'; echo $?; awk \'NR==1{exit 4} END{print "e"}\' <<< x; echo $?',
    "printf '1.5\\n2.5\\nabc\\n10\\n' | awk '$1+0==$1{s+=$1} END{print s}'; printf '5 apples\\n10 pears\\n' | awk '$1 > 7 {print $2}'; printf '09\\n9\\n' | awk '$1 == 9'; echo \"3 4\" | awk '{print $1*$2, $1/$2, $1^$2, -$1, !$1, $1$2, $1<$2, ($1>$2)?\"a\":\"b\"}'; seq 10 | awk 'NR%3==0'; seq 3 | awk '{s=s $1 \",\"} END{sub(/,$/,\"\",s); print s}'; printf 'BEGIN { print \"from file\" }\\n# c\\n{ print NR \\\\\\n \": \" $0 }\\n' > p.awk; echo l | awk -f p.awk; awk 'BEGIN{print ENVIRON[\"FOO\"]; print ARGC, ARGV[1]}' q=1; FOO=bar awk 'BEGIN{print ENVIRON[\"FOO\"]}'; echo z | awk '{print v, $0}' v=5 -; awk '{print FILENAME, FNR, NR}' p.awk p.awk | tail -1",
    'printf \'a,b\\nc,d\\n\' > t; awk \'{FS=","; print $1}\' t; awk \'{$0="x y"; FS=","; print $1, NF}\' t; awk \'BEGIN{print "a"; NF=-1}\' 2> e; echo $?; awk \'BEGIN{print "x" > "/none/f"; print "y"}\' 2> e; echo $?; awk \'BEGIN{print "b" > "of"; close("of"); print "c" > "./of"}\'; cat of',
    "x=5; awk -v a=\"$x\" -v b=2.5 'BEGIN{exit !(a>b)}' && echo gt; awk \"BEGIN{printf \\\"%.2f\\n\\\", $x/3}\"; while read -r a b; do awk \"BEGIN{print $a+$b}\"; done <<< $'1 2\\n3 4'; r=$(echo \"10 3\" | awk '{printf \"%.3f\", $1/$2}'); echo $r; if awk 'BEGIN{exit 1}'; then echo y; else echo n; fi; printf 'a\\nb\\n' | awk '{print NR\") \"$0}' > o; cat o; awk '{print}' nope; echo $?; awk 'BEGIN{print \"unclosed' 2>/dev/null; echo $?; ls | awk 'END{print NR}'; echo a b | xargs -n1 | awk '{print toupper($0)}'; awk 'NF' <<< $'a\\n\\nb'; printf 'x y\\n' | awk '{t=$1; $1=$2; $2=t} 1'",
    'awk \'BEGIN{ printf "%s|%5s|%-5s|%.2s|%5.1f|%3d%%\\n", "a", "b", "c", "defg", 2.25, 50; printf("%d %s\\n", "12abc", 3.0); printf "no newline"; print ""; print 1,2 > "/dev/stderr"; print 0x10, 011, 1e-5, 123456789, 1234567.891, 3.0, "3.0"+0, .5; OFMT="%.2f"; print 3.14159, 3.14159 ""; CONVFMT="%.1f"; x = 3.14159 ""; print x; print 1e6, 1e5+0.5, 17/4, 2**10; print substr("hello", 2, 3) substr("w", 1); print index("foobar","bar"), tolower("ABC"), sprintf("%03d", 7) }\' 2>/dev/null',
    "awk '{ for (i = NF; i > 0; i--) printf \"%s%s\", $i, (i > 1 ? OFS : ORS) }' <<< $'a b c\\nd e'; awk '{l[NR]=$0} END{for(i=NR;i;i--) print l[i]}' <<< $'1\\n2\\n3'; awk 'length > 3' <<< $'ab\\nabcd'; awk 'length($0)>max{max=length($0);m=$0} END{print m}' <<< $'a\\nccc\\nbb'; awk '{c[length($1)]++} END{for(n in c) print n, c[n]}' <<< $'aa b\\ncc\\nd'; awk 'NR>1{print prev} {prev=$0}' <<< $'1\\n2\\n3'; awk '{$2=sprintf(\"%.1f\",$2*1.1)}1' <<< 'x 10'; awk 'BEGIN{for(i=1;i<=3;i++){for(j=1;j<=i;j++) printf \"*\"; print \"\"}}'; awk -F: '{print $1; if ($2 == \"x\") next; print \"not\"}' <<< $'a:x\\nb:y'; awk '{n=split($0,ch,\"\"); for(i=n;i>0;i--) printf \"%s\",ch[i]; print \"\"}' <<< abc; awk '/start/{f=1;next} /end/{f=0} f' <<< $'a\\nstart\\nb\\nc\\nend\\nd'",
  ],
  'tests and arithmetic that leave a loop its input': [
    'while read -r l; do [[ $l =~ ^[abx]$ ]] && echo "$l"; done < f; while read -r l; do if [[ 07 -lt 010 ]]; then echo "$l"; fi; done < f; printf "1\\n08\\n10\\n" > n; while read -r a; do a=0$a; echo $((10#$a + 1)); done < n; { read -r x; [[ $x =~ b ]] && echo B; read -r y; echo "$y"; } < f; cat f | { while read -r x; do [[ $x =~ [ab] ]] && echo "$x"; done; echo end; }',
    'set -e; if [[ abc =~ z ]]; then echo y; fi; [[ abc =~ a ]]; x=007; echo $((10#$x)); [[ 010 -gt 011 ]] || echo m; [[ a =~ b && c =~ d ]] || [[ a =~ a ]]; [[ abc =~ z ]]; echo no',
  ],
  'tests of signs as operands': [
    '[ "(" = "(" ]; echo $?; [ "(" = ")" ]; echo $?; [ "!" = "!" ]; echo $?; x="("; [ "$x" = "(" ]; echo $?; [ "(" ]; echo $?; test "(" = "("; echo $?; test "("; echo $?; [ "(" != "a" ]; echo $?; test "!" != "!"; echo $?; test; echo $?',
    'c="("; case x in x) [ "$c" = "(" ] && echo y;; esac; y=$([ "$c" = "(" ] && echo z); echo $y; if test "$c" == "("; then echo t; fi; f() { [ "$1" = "!" ]; }; f "!" && echo f',
    'for c in \'(\' \')\' \'!\' \'-a\' \'-n\' \'=\' \'{\' \'<\' \'-f\' \']\'; do test "$c" = "(" && echo open; test "$c" = ")" && echo close; test "$c" != x && echo "$c"; test -n "$c" && echo n; test "$c" = "$c" && echo same; test x = "$c" || echo o; test "$c" && echo a;  [ "$c" ] && echo b; done',
    "for c in '(' ')' '!' '-a' '-n' '=' '{' '<' '-f' ']'; do for d in '(' ')' '!' '-a' '-n' '=' '{' '<' '-f' ']' -z; do [ ! \"$c\" = \"$d\" ] && echo \"$c $d\"; [ ! \"$c\" ] && echo \"not $c\"; [ \"$c\" -gt 5 ] 2>/dev/null; echo $?; done; done",
  ],
  'messages under 2>&1': [
    'echo 1 > f; ls f nope 2>&1 | cat; ls nope f 2>&1; ls f nope > out 2>&1; cat out; ls f nope &> out; cat out; ls f nope |& cat; ls f* nope 2>&1; x=$(ls f nope 2>&1 | tail -1); echo $x; ls f nope 2>&1 >/dev/null | cat; cat f nope 2>&1 >o; cat o',
    'echo 1 > f; cat f nope f 2>&1 | head -3; cat f nope f > out 2>&1; cat out; cat f nope f &>> out; cat out; x=$(cat f nope f 2>&1); echo "$x"; wc f nope f 2>&1 | cat; head f nope f 2>&1 | cat; tail f nope f 2>&1',
    "echo 1 > f; { ls f nope; wc f nope f; cat f nope f; } 2>&1 | cat; for i in 1 2; do cat f nope f; done 2>&1 | cat; for i in 1; do ls f nope; done > out 2>&1; cat out; sh -c 'ls f nope; cat f nope f' 2>&1 | cat; bash -c 'ls f nope' > o 2>&1; cat o",
    'echo 1 > f; cut -c1 f nope f 2>&1 | cat; md5sum f nope f 2>&1 | cat; stat -c %n f nope f 2>&1 | cat; sed p f nope 2>&1 | cat; sort f nope 2>&1 | cat; grep 1 nope f 2>&1 | cat',
    'cat nope 2>&1 | cat; cat nope 2>&1; x=$(cat nope 2>&1) || echo "$x"; cat nope &> o; cat o; cat nope 2> o; cat o; mkdir d; cat d 2>&1 | cat; rm d 2>&1; rm nope 2>&1; rmdir nope 2>&1; head nope 2>&1; tail -2 nope 2>&1 | cat; head -1 nope |& cat; rm -f nope 2>&1; echo $?; wc d nope 2>&1; mkdir -p d/e 2>&1 && rmdir d/e 2>&1 && ls d',
  ],
  'texts of sed, and links that ls names': [
    "echo x > s; sed '/x/a\\    if b == 0:\\n        raise\\tq' s; sed '/x/i\\  a\\\\nb' s; sed 'a foo\\tbar' s; sed '$a\\tab' s; sed 'c\\\\tq' s",
    "mkdir v1 v2; echo 1 > v1/f; ln -s v1 cur; ls -l cur | awk '{print $(NF-2), $(NF-1), $NF}'; ls cur; ls -ld cur | awk '{print $NF}'; ls -l cur/ | tail -1 | awk '{print $NF}'; ls -la cur | awk '{print $NF}'",
    'cat > s.sh <<\'X\'\necho "trap $1"; wait\nX\nbash s.sh a; chmod +x s.sh; ./s.sh b',
  ],
  'cut of several files': [
    'echo abc > f; cut -c1 f nope f; echo $?; cut -c 2-3 f; cut -b1 f nope; cut -c1 nope 2>&1; cut -c1,3 f f | cat',
    "printf 'a\\nb\\n' > f; wc -l nope f 2>/dev/null; echo $?; paste f nope; echo $?; tac nope f; echo $?; nl nope; echo $?",
    "echo 'hello world' > f; cut -c1-3,7 f f; cut --characters=2 f f; cut --complement -c1-6 f; cut -b -5 f nope 2>&1; echo abc | cut -c5; cut -c0 f f; echo $?; for w in f; do cut -c 1 $w nope; done; cut -d' ' -f2 f nope; echo $?",
  ],
  'the status before and in substitutions': [
    'f() { return $?; }; false; y=$(f); echo $?; g() { local r=$?; echo "r $r"; }; (exit 3); y=$(g); echo "$y"; h() { g; }; (exit 5); echo "$(h)"; (exit 6); x="a$(h)b" || echo never; echo $x; (exit 7); if [ "$(h)" = "r 7" ]; then echo y; fi; (exit 9); z=$(echo q; h); echo "$z"',
    'false; echo "$(true)" $?; (exit 3); echo "$(echo $?)" $?; (exit 4); printf "%s %s\\n" "$(echo hi)" "$?"; (exit 4); echo `true` $?; (exit 4); echo $? "$(exit 5)" $? ${?} "$?x"; echo "$(ls nope 2>&1 >/dev/null | wc -l) $?"; echo "$(grep -c z /dev/null)" "$?" | cat; f() { echo "$(return 4)$?"; return 2; }; f; echo $?',
    'x=$(echo "$(exit 2)$?"); echo $x; if echo "$(false)" $?; then echo ok; fi; echo "$(false)" $? > o; cat o; false; echo "$(true)" \'$?\' \\$?; set -e; echo "$(exit 9)" $? && echo on; x=$(true) || true; echo "$(exit 3)": $?',
  ],
  'let, printf -v, declare -x and env -u': [
    'x=1; let x=x+1; echo $x $?; let x=0; echo $?; let x++; echo $x $?; let "a = 5 * 3" b=a+1; echo $a $b; i=0; while [ $i -lt 3 ]; do let i++; done; echo $i; let "i > 5" || echo small; let i=i*3 j=i%4; echo $i $j; f() { local n=$1; let n=n*2; echo $n; }; f 4; set -e; let k=0 || true; let a=0 b=1; echo on; let c=0; echo never',
    'printf -v x "%03d" 7; echo $x; printf -v n "a\\n\\n"; echo "[$n]"; printf -v e ""; echo "[$e]" $?; for i in 1 2; do printf -v p "%02d" "$i"; echo "f$p"; done; f() { local t; printf -v t "%s-" "$@"; echo "$t"; }; f a b; false; printf -v s "%s" $?; echo $s; printf -v x "%d" abc; echo $? $x',
    "declare -x E=5; sh -c 'echo $E'; f() { declare -x L=1; sh -c 'echo $L'; }; f; echo ${L-none}; export X=1 Y=2; env -u X -uY --unset=HOME Z=3 sh -c 'echo \"${X-n}${Y-n}${Z-n}${HOME-n}\"'; echo $X$Y; echo in | env -u X cat; (env -u X false); echo $?; { env -u X echo c; } 2>/dev/null; env -u X printenv X > o; echo $? $(wc -c < o)",
  ],
  'sort -V': [
    "printf 'v1.10\\nv1.2\\nv1.9\\nv1.10-rc1\\nv1.10~rc1\\n' | sort -V; printf 'a 1.10\\nb 1.9\\n' | sort -k2V; printf '1.10\\n1.9\\n' | sort -rV | head -1; printf '1.0\\n1.0.0\\n01.0\\n' | sort -V -u; printf '2\\n1\\n' | sort --version-sort; printf '1.2\\n1.1\\n' | sort -Vc; echo $?; printf 'x-2\\nx-10\\n' | sort -t- -k2,2V; printf '%s\\n' '' . .. .a a .txt b-1.tar.gz b-10.tar.gz b-2.tar.gz _1 ~2 '1 a' 1-a 1a | sort -V",
  ],
  'here-documents of read and functions': [
    'read -r a <<E\nx y\nE\necho $a; IFS=: read -r a b <<\'E\'\nx:y\nE\necho "$b$a"; read x <<E\n$b\nE\necho $x; f() { while read -r l; do echo "[$l]"; done; }\nf <<E\np $x\nE\nf <<\'E\' > o\nz\nE\ncat o',
  ],
  'a script from a pipe': [
    "seq 2 | sed 's/^/echo /' | bash; echo $?; seq 2 | sed 's/^/echo /' | sh -e | tac; echo 'exit 3' | sh; echo $?; echo 'exit 3' | sh && echo no || echo \"rc $?\"; echo 'x=1; echo \"$0 $# $1\"' | bash -s -- a b; echo ${x-none}; f() { echo 'echo in f'; }; f | sh; for i in 1 2; do echo \"echo loop $i\"; done | bash; true && echo 'echo t' | sh; false && echo 'echo f' | sh; echo $?; echo 'echo a; false; echo b' | bash -e; echo $?",
    "cat <<'E' | bash > o && cat o\nfor i in 1 2; do\n  echo \"i=$i\"\ndone\n[[ a == a ]] && echo y\nE\necho after; cat <<E | sh\necho $((1+1))\nE\nset -e; echo 'exit 2' | sh; echo never",
  ],
  'env -i': [
    'export A=1; env -i sh -c \'echo "[${A-none}] ${HOME-none}"\'; env -i B=2 sh -c \'echo "$B ${A-n}"\'; env - C=3 printenv C A; echo $?; env -i -u C D=4 printenv D; f() { env -i V=1 sh -c \'echo $V\'; }; f; IFS=,; x=a,b; env -i true; set -- $x; echo $# $A; set -eu; env -i sh -c "exit 3" || echo $?; env --ignore-environment false; echo never',
    'printf \'#!/bin/bash\\necho "${A:-default} ${B-unset}"\\n\' > s.sh; chmod +x s.sh; A=set B=x; export A B; env -i ./s.sh; env -i bash s.sh; env -i A=two bash ./s.sh; env -u B ./s.sh; ./s.sh; env -i PATH="$PATH" bash s.sh; x=$(env -i A=3 bash s.sh); echo $x; env -i bash s.sh | cat',
  ],
  'mkdir -p beside a file': [
    'touch q; mkdir -p q/x b; echo $?; mkdir -p q; echo $?; mkdir -p a b/c q/x k; ls; mkdir -pv r/s q/y w; mkdir -p; echo $?; x="x y/z"; mkdir -p "$x" && ls "x y"; ln -s nope dead; mkdir -p dead 2>/dev/null || echo no; set -e; mkdir -p q || echo no; mkdir -p q; echo never',
  ],
  'mkdir of several directories': [
    'mkdir a; mkdir a b; echo $?; ls; mkdir x/y c; echo $?; ls; mkdir /tmp/../tmp a/q ./z z/; echo $?; ls . a; mkdir "m n" \'o*\'; ls; mkdir -p a b/c a/d; ls a; for d in a q; do mkdir $d 2>/dev/null; done; ls; mkdir a 2>/dev/null || echo have; [ -d r ] || mkdir r s; ls',
  ],
  'variables of a call of a function': [
    'f() { V=x; echo "$V"; }; V=1 f; echo "[$V]"; V=0; V=1 f > o; cat o; echo $V; g() { printenv V; echo "$W $# $1"; }; V=1 W="a b" g x "y z"; h() { V=2 g "$1"; }; h q; x=$(V=4 g); echo "$x"; V=5 g | cat',
    'f() { [ "$V" = 1 ]; }; V=1 f && echo y; V=2 f || echo n; ! V=2 f && echo nn; set -e; V=1 f; V=$(echo 1) f; V=3 f; echo no',
    'f() { echo "$V"; exit 3; }; V=1 f; echo no',
    'f() { echo "$X"; }; X="p  q"; X=$X f; X=${X% q} f; X=a$X f; X=* f; X= f; X=~ f | wc -l; echo $X; a() { b; }; b() { echo "b $X"; }; X=1 a; s=:; IFS=$s read -r p q <<< "x:y z"; echo "$p|$q"; IFS=${s}, read -r p q <<< "x,y z"; echo "$p|$q"',
  ],
  'values beside a command are not split': [
    'x="a  b*"; f() { local m=$1 n=${2:-x y} p=$(echo "q  r"); echo "[$m] [$n] [$p]"; }; f "$x"; f "*" "c d"; export A=$x B=a$x; echo "$A $B"; readonly R=$x; echo "$R"; declare D=$x; echo "$D"; E=$x printenv E; E=$x sh -c \'echo "$E"\'; IFS=:; y=a:b; g() { local z=$y; echo "$z"; }; g',
  ],
  '~ in a value': [
    'cd; for x in ~ ~/a; do [ "$x" = "$PWD${x#"$HOME"}" ] && echo home; done; x=~/a; [ "$x" = "$HOME/a" ] && echo 1; y=a:~:~/b; [ "$y" = "a:$HOME:$HOME/b" ] && echo 2; export Z=~; [ "$Z" = "$HOME" ] && echo 3; f() { local v=~/c; [ "$v" = "$HOME/c" ] && echo 4; }; f; p=${nope:-~/d}; [ "$p" = "$HOME/d" ] && echo 5; q="~"; r=\\~; s=a~; t=~x/; echo "$q $r $s $t ${nope:-~x}"; [ "${nope:-~}" = "~" ] && echo 6',
  ],
  'local without a value': [
    'f() { local r; r="$r$1"; echo "$r"; }; r=global; f a; f b; echo $r; g() { local a b=2 c; echo "[${a-u}] [$b] [${c-u}]"; a=1; local a; echo $a; }; a=x; c=y; g; echo $a $c; h() { local i; for i in 1 2; do local j; j=$i; echo $j; done; }; i=9; h; echo $i; k() { local x && x=1; echo $x; }; k; m() { declare x=2; echo $x; }; x=1; m; echo $x',
    'f() { for w in a b; do local n m=5 k; m=$((m+1)); [ "$w" = a ] && n=1; echo "$w:${n:-none}:$m:${k-u}"; k=z; done; }; n=7 k=8; f; f; echo $n $k; g() ( while read -r w; do local n; echo "${n-u}"; n=$w; done < f ); g; r() { local i; for i in 1 2; do local v; echo "$1 ${v-u}"; v=$1$i; if [ $1 -lt 2 ]; then r $(($1 + 1)); fi; echo "$1 $v"; done; }; v=g; r 1; for i in 1 2; do h() { local v; echo "${v-u}"; }; h; done; h',
    'set -eu; f() { local x; x=$(echo hi); echo "$x"; local y=${1:-d}; echo $y; }; f; f z',
  ],
  'copies, moves and options of programs that change files': [
    "printf '#!/bin/sh\\necho hi\\n' > s; chmod +x s; cp s t; ./t; stat -c %a t; cp s u; echo q > u; chmod 600 s; cp s u; stat -c %a u; cp -p s u; stat -c %a u; cp s v; stat -c %a v; chmod 777 s; cp s w; stat -c %a w; cp -a s x; stat -c %a x; mkdir d; cp -v s t d; ls d; cp -t d u v; ls d; cp -n s t; cp -u s t; cp --recursive d e; ls e; cp -T s z; cp -rT d e; ls e; cp -- s -z; ls -- -z; ls",
    "mkdir -p a/b a/.h; printf '#!/bin/sh\\necho hi\\n' > a/b/s; chmod 700 a/b/s; chmod 750 a/b; ln -s s a/b/l; ln -s nope a/dead; echo x > \"a/b/o d\"; cp -r a c; stat -c '%a %n' c/b c/b/s c/.h; readlink c/b/l; readlink c/dead; cp -r a c; ls c/a; cp -a a/. e; ls -a e; cp -rL a/b k; [ -L k/l ] || echo file; cp -rv a/b m | sort; cp a h; echo $?; cp -r a a/x; echo $?; rm -rf a/x; cp -r a c/b/s; echo $?; cp a/b/s c; echo $?; rm -rf c; cp -r a/b c/; ls c; cp -r a/* c; ls c",
    'mkdir x; echo a > x/a; mv x/a x/b; mv x y; ls y; mv y/b .; ls; mv nope z; echo $?; echo 1 > p; echo 2 > q; mv p q; cat q; mkdir d; mv q b d; ls d; mv d/q d/b .; ls; mv q q; echo $?; mv d d/e; echo $?; ls; mv -v q r; mv -n r b; ls; mv -t d r; ls d; mkdir -p k/d; echo z > k/d/z; mv d k; echo $?; rm k/d/z; mv d k; echo $?; ls k/d; mv k/ kk; ls kk; mv b kk/; mv kk b2/; ls b2; mv b2/b nodir/; echo $?; ln -s b2 l; mv l l2; readlink l2; mv -f b2/b l2/d; ls b2/d',
    'echo a > f; ln -s f l; mv f l; echo $?; cat l; ls; mv l l; echo $?; mv l ./l; echo $?; cat l; mkdir d d/l; mv l d; echo $?; mv l nodir/; echo $?; x=l; y="a b"; mv "$x" "$y"; ls; mv "" g; echo $?; echo b > =; cp = c; cat c; mv = e; mv ./c -f 2> /dev/null; ls; (mv e d/e2); f() { mv -f "$1" "$2"; }; f d/e2 e3; cat e3; timeout 5 mv e3 e4 && ! mv e3 e5; echo $?; set -e; mv e3 e6 || echo gone; chmod 755 e4; mv e4 e5; [ -x e5 ] && mv e3 e4; echo on; mv e3 e4; echo never',
    'cp a a; echo $?; echo x > a; cp a a; echo $?; cat a;  mkdir b; cp a b; echo $?; cp nope b; echo $?; cp; echo $?; cp a; echo $?; cp a a/b/c nope; echo $?; cp -r b b; echo $?; cp b/a b; echo $?; cp a b/../a; echo $?',
    'for i in 1 2 3; do echo $i > f$i; done; ls f? | while read -r f; do cp "$f" "$f.bak"; echo "$f"; done; ls; find . -name \'*.bak\' -exec cp {} {}.2 \\; ; ls; find . -name \'f?\' | xargs -I{} mv {} {}.old; ls | xargs; cp f* /nodir; echo $?; mkdir o; cp *.bak o; ls o | xargs; cp -f f1.old o 2>/dev/null && echo ok; x=$(cp -v f1.old zz); echo "$x"',
    'mkdir -v x; mkdir -pv a/b/c; mkdir -p -v a/b/d; rm -rv a | sort; touch q; rm -v q; rm --force nope; rm --recursive --force x; mkdir --parents m/n; ls m; rm -v nope; echo $?; rm m; echo $?; rm -d m; echo $?; rm -dv m/n; rm -rfv nope m; rmdir nope; echo $?; mkdir -p r/s; rmdir r; echo $?; rmdir --ignore-fail-on-non-empty r; echo $?; rmdir -p r/s; ls; mkdir -pm 700 o/p; stat -c %a o/p',
    'mktemp ./fooXXXX.txt | wc -c; mktemp -d ./barXXXXXX | wc -c; ls -d bar* | wc -l; mktemp -p . x.XXXXXX | wc -c; mktemp fooX; echo $?; mktemp foo.XXXXXX | wc -c; ls foo.* | wc -l;  t=$(mktemp -t app.XXXXXX.log) && echo "${t%%app*}" "${t##*.}"; t=$(mktemp -d -t x.XXXX); [ -d "$t" ] && stat -c %a "$t"; mktemp --suffix=.txt | wc -c; mktemp -dp . | wc -c; mktemp -u | wc -c; TMPDIR=. mktemp | wc -c; mktemp /nodir/x.XXXX; echo $?; mktemp --tmpdir=. -d zz.XXXXX | wc -c',
    "uniq --count <<< $'a\\na'; uniq -c -f1 <<< $'1 a\\n2 a\\n3 b'; uniq -w 1 <<< $'ab\\nac\\nba'; uniq -s1 -d <<< $'ab\\ncb'; uniq -i <<< $'a\\nA'; printf 'a\\na\\nb\\n' | uniq -cd",
    'echo > f; chmod +x f; chmod -x f; stat -c %a f; chmod -rx f; stat -c %a f; chmod -R +r .; stat -c %a f',
    'touch a; ln -s a l; readlink -n l; echo; readlink -m nope/x/y ./a | sed "s|$PWD||"; realpath -m nope/../z 2>/dev/null | sed "s|$PWD||"',
    'touch a; ln -sv a l; ln -sfv a l; ln -s a l; echo $?; ln -sn a m; readlink m; readlink a; echo $?; readlink -f l | sed "s|$PWD||"; readlink l m; mkdir d; ln -sv ../a d; readlink d/a; ln --symbolic --force a l; readlink -e nope; echo $?; readlink -m nope/x/y  | sed "s|$PWD||"',
    'find . -name x -exec rm -v {} \\; ; touch x y; find . -type f | sort | xargs rm -v; mkdir k; echo k | xargs rmdir; ls; echo z | xargs touch; echo z | xargs -I{} ln -s {} zz; readlink zz; echo nn | xargs mkdir -pv',
    'touch f; ls --all; ls --reverse; ls -N; ls --color=auto -1; ls -l --human-readable | wc -l; ls -- f; tee --append f <<< x; tee -i p <<< y; touch -a h; touch -m q; ls',
  ],
  'find of sizes, times, empty files, and with -prune, -delete and -quit': [
    "mkdir q; cd q; find . -name '*.log' -delete; touch a.log b.log c.txt; find . -name '*.log' -delete; ls; mkdir -p d/e; touch d/e/f; find d -delete; ls; mkdir -p k/l; find . -type d -empty -delete; ls",
    "mkdir q; cd q; touch e; echo x > n; mkdir d; find . -type f -empty; find . -type d -empty; find . -size +0c -type f; find . -type f -size 0;  find . -mtime -1 -type f | sort; find . -path ./d -prune -o -type f -print | sort; find . -maxdepth 1 -type f -printf '%s %p\\n' | sort; find . -iname 'N'; find . -perm 644 -type f | sort; find . -type f -name n -print -quit; find . -mmin -60 -type f | sort; find . -type f -perm -u=x; find . -type f -perm /111; chmod +x n; find . -type f -perm -100; find . -type f -mtime +3; find . -executable -type f; find . -ipath ./N; mkdir -p k/m; find k -depth -type d; find k -mindepth 1 -true",
    "mkdir q; cd q; mkdir -p src/node_modules/x src/a .git; touch src/node_modules/x/i.js src/a/m.js src/n.ts .git/c; find . \\( -name node_modules -o -name .git \\) -prune -o -name '*.js' -print; find . -name node_modules -prune -o -type f -print | sort; find . -not -path '*/node_modules/*' -type f -size -1k | sort; find src -type f -empty -exec basename {} \\; | sort; find src -type f -empty -exec ls {} + | sort; find . -type d -name node_modules -prune -exec rm -rf {} \\; ; find . | sort; find . -type f -empty -print0 | xargs -0 -n1 echo | sort; find src -empty -o -name '*.ts' | sort",
    "mkdir q; cd q; printf 'a\\nb\\n' > \"x y.txt\"; seq 1 1000 > big; find . -type f -size +2k; find . -type f -size -2k; find . -type f -size +1k -exec wc -c {} \\; ; find . -type f -printf '%s\\t%f\\n' | sort -n; find . -type f -printf '%m %y %d %P\\n' | sort; find nope -empty; echo $?; find . -name '[xb]*' -size +0 | sort; find . -name '*.txt' -size +0c -exec grep -c a {} \\; ; find . -type f -size +0 -exec sh -c 'echo \"got $1\"' _ {} \\; | sort; find . -maxdepth 0 -empty; find . -type f ! -size 0 | sort; find . -type f \\( -size +1k -o -name 'x*' \\) | sort",
    "mkdir q; cd q; mkdir -p t; cd t; touch 'a[1]' b.bak c.BAK; find . -iname '*.bak' -delete; ls; find . -type f -name 'a\\[1\\]' -empty; find . -type l -empty; ln -s nope l; find . -type l -delete; ls; find / -maxdepth 1 -name tmp -prune; find . -size foo 2>/dev/null; echo $?",
    'mkdir q; cd q; for f in $(find . -maxdepth 1 -empty -type f); do echo $f; done; touch 1 2; n=$(find . -type f -empty | wc -l); echo $n; if [ -z "$(find . -name zz -print -quit)" ]; then echo none; fi; find . -type f -empty -exec sh -c \'for f; do echo "<$f>"; done\' _ {} + | sort',
  ],
  'IFS and other variables that bash sets': [
    'OLD=$IFS; IFS=,; x=1,2; set -- $x; echo $#; IFS=$OLD; y="p q"; set -- $y; echo $#; printf "%s" "$IFS" | wc -c; IFS=,; f() { local o=$IFS; IFS=; echo "$o"; IFS=$o; }; f; IFS="${OLD}"; for w in $y; do echo $w; done',
    '[ "$UID" -ge 0 ] && echo u; [[ $EUID -ge 0 ]] && echo e; (( EUID >= 0 )) && echo a; [[ "$OSTYPE" == linux* ]] && echo l; echo $((OPTIND)) $((OPTIND - 1)); set -u; echo "$UID$HOSTNAME" | wc -l; HOSTNAME=me; echo $HOSTNAME; f() { echo "in ${FUNCNAME[0]} $FUNCNAME"; }; f',
    'printf \'D="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"; [ "$D" = "$PWD" ] && echo here; if [[ "${BASH_SOURCE[0]}" == "${0}" ]]; then echo main $BASH_SOURCE ${BASH_SOURCE[0]:-$0}; fi\\n\' > s.sh; bash s.sh; bash ./s.sh; chmod +x s.sh; ./s.sh',
  ],
  'read with several signs in IFS': [
    "printf 'a=1\\nb = 2\\nc =3\\n d= 4 5 \\ne\\n=x\\nf==y\\ng = = z\\n' > kv; while IFS='= ' read -r k v; do echo \"[$k][$v]\"; done < kv",
    `IFS=': ' read -r a b c <<< 'x: y :z'; echo "[$a][$b][$c]"; IFS=',;' read -r a b c <<< '1,2;3'; echo "[$a][$b][$c]"; IFS='|,' read -r a b c <<< '1|2,3|4,'; echo "[$a][$b][$c]"; IFS=' ,' read -r a b <<< 'x ,, y , '; echo "[$a][$b]"; IFS=' ,' read -r a b <<< 'x , y , '; echo "[$a][$b]"; IFS=' ,' read -r a <<< ' x , '; echo "[$a]"; IFS=' ,' read -r a <<< ', x'; echo "[$a]"; IFS='= '; read -r a b c <<< 'x = y z'; echo "[$a][$b][$c]"`,
    `IFS=$'\\t' read -r a b c <<< $'x\\t\\tz'; echo "[$a][$b][$c]"; IFS=$',\\t' read -r a b c <<< $'x,\\tz,q,'; echo "[$a][$b][$c]"; IFS=, read -r a b <<< 'a,b,'; echo "$a|$b"; IFS=, read -r a b <<< 'a,b,,'; echo "$a|$b"; IFS=, read -r a b <<< ',,c'; echo "$a|$b"; read -r a b <<< '  p   q  r  '; echo "[$a][$b]"; printf 'a b\\tc\\n\\td e\\n' | while IFS=$'\\t' read -r a b c; do echo "[$a][$b][$c]"; done; IFS='[' read -r a b <<< 'x[y'; echo "$a $b"; IFS=- read -r y m d <<< 2024-01-02; echo $d/$m/$y`,
  ],
  getopts: [
    'f() { local OPTIND o; while getopts "ab:c" o; do echo "$o ${OPTARG-unset}"; done; shift $((OPTIND-1)); echo "$OPTARG rest $*"; }; f -a -b 2 x; f -ab2 y z; f -ab 2 -c -- q; f -cab3; f -b ""; f',
    'set -- -a -z -b; while getopts ":ab:" o; do case $o in a) echo a;; \\?) echo "bad $OPTARG";; :) echo "miss $OPTARG";; esac; done; echo $OPTIND; OPTIND=1; while getopts "ab:" o 2>/dev/null; do echo "$o"; done; OPTIND=1; while getopts ab: o -a -b 3; do echo "$o ${OPTARG-}"; done',
  ],
  'test -v, and blanks around numbers': [
    '[ -v HOME ] && echo set; [ -v NOPE ] || echo unset; x=; [ -v x ] && echo set; test -v x && echo t; [ ! -v NOPE ] && echo n; [ -v HOME -a ! -v NOPE ] && echo both; set -- p; if [ -v 1 ]; then echo one; fi; [ -v 2 ] || echo two; [ -v = x ]; echo $?; [ -v ] && echo v; [ -v UID ] && echo uid',
    `[ " 1 " -eq 1 ] && echo y; [ "1 " -eq " 1" ] && echo y; test " 2" -gt 1 && echo y; x=$(echo ' 3 '); [ "$x" -eq 3 ] && echo y; n=$(printf '%7d' 5); [ "$n" -lt 6 ] && echo y; [ " " -eq 0 ]; echo $?; [ "1 2" -eq 1 ]; echo $?; [ "$n" = 5 ]; echo $?; [ ' -2' -lt 1 ] && echo y`,
  ],
  'brackets in the pattern of a replacement': [
    `k='[db]'; echo "\${k//[\\[\\]]/}" "\${k/[]]/x}" "\${k//[!\\[]/-}"; v="\\"a'b\\""; echo "\${v//[\\"\\']/}" "\${v//\\"/}"; w='a-b_c\\d'; echo "\${w//[-_]/ }" "\${w//[\\\\]/:}" "\${w//[a\\-]/}"`,
  ],
  'quotes in the pattern of what is removed': [
    `v='"q"'; v="\${v%\\"}"; v="\${v#\\"}"; echo "$v"; x="'q'"; x="\${x#\\'}"; echo "\${x%\\'}"; x="'q'"; echo "\${x#"'"}"; y='"z"'; echo "\${y#'"'}" \${y%\\"}; z='a="b c"'; z="\${z#*=\\"}"; echo "\${z%\\"*}"; f() { echo "\${1#\\"}"; }; f '"a'; set -u; echo "\${z#\\"}"; k='[db]'; echo "\${k#[\\[]}" "\${k%[\\]]}" "\${k#\\[}" "\${k%]}"`,
    `printf 'A="x y"\\nB=z\\n' > .env; while IFS='=' read -r k v; do v="\${v%\\"}"; v="\${v#\\"}"; echo "$k: $v"; done < .env`,
  ],
  'read of text that is not ASCII': [
    `printf 'naïve café|日本語 x|\\n\\ttab é\\n  lead é  \\n' > u; while IFS='|' read -r a b c; do echo "[$a][$b][$c]"; done < u; while read -r a b; do echo "[$a][$b]"; done < u; while IFS= read -r l; do echo "[$l] \${#l}"; done < u; cat u | while read -r l; do echo "[$l]"; done`,
    `printf 'key=wört\\nname=Jürgen Groß\\n' | while IFS='=' read -r k v; do echo "$k -> $v"; done; read -r x <<< 'héllo'; echo "$x \${#x}"; g() { read -r y; echo "<$y>"; }; echo 'ünï' | g; printf 'a\\té\\n' | { read -r p q; echo "$p:$q"; }; printf '😀' > e; while read -r l || [ -n "$l" ]; do echo "[$l]"; done < e; IFS=é read -r a b <<< 'xéy'; echo "$a $b"`,
  ],
  'cat of files, inputs and what is not there': [
    'cat < /dev/null; cat < nope; echo $?; cat nope; echo $?; cat /dev/null; cat .; echo $?; : > e; cat e; cat < e; cat < f; x=$(< f); echo $x; cat f e; cat f nope e; echo $?; v=f; cat $v; cat "$v" < /dev/null; cat < "$v"; cat $(echo f); cat "${v:-q}"; cat "$(echo nope)"; echo $?; cat f 2>/dev/null; cat nope 2>/dev/null; echo $?; cat f 2>&1; echo $(<f) "$(< f)"',
    `g() { cat "$1" || echo "no $1"; }; g f; g nope 2>/dev/null; while read -r l; do cat g; echo "$l"; done < f; if cat f; then echo ok; fi; cat f && cat g || echo no; ! cat nope 2>/dev/null; echo $?; : > e; y=$(cat f; cat e); echo "$y"; cat f | cat; cat ./*g; cat [f]; for i in f e; do cat $i; done; find . -name f -exec cat {} +; ls f g | xargs cat; cat f > o; cat o; printf '\\303\\251' > u; cat u; tr a b < f; cat f | tr ab xy; set -e; cat f; cat nope; echo no`,
  ],
  'the index of getopts within letters together': [
    'g() { local OPTIND o; while getopts "ab:c" o; do echo "$o ${OPTARG-unset} $OPTIND"; done; shift $((OPTIND-1)); echo "rest $*"; }; g -a -b 2 x; g -ab2 y z; g -ab 2 -c -- q; g -cab3; g; set -- -xvf file rest; while getopts xvf: o; do echo "$o ${OPTARG-} $OPTIND"; done; shift $((OPTIND-1)); echo "$@"; set -- -abz -c; OPTIND=1; while getopts ":abc" o; do echo "$o ${OPTARG-} $OPTIND"; done',
    'g() { OPTIND=1; while getopts hv o; do case $o in h) echo help; return;; v) echo v;; esac; done; }; g -hv; g -hv; g -vh; g -v -h; h() { local OPTIND=1 o; while getopts ":hv:" o "$@"; do case $o in h) echo "h $OPTIND"; break;; v) echo "v=$OPTARG $OPTIND";; :) echo "miss $OPTARG $OPTIND";; esac; done; echo "$OPTIND"; }; h -hh; h -hh; h -v1 -hv; h -hv; h -v; set -- -ab; OPTIND=1; getopts ab o; echo "$o $OPTIND"; getopts ab o; echo "$o $OPTIND"; getopts ab o; echo "$? $o $OPTIND"',
  ],
  'line breaks in the pattern of what is removed': [
    `a=$'l1\\nl2\\nl3'; first=\${a%%$'\\n'*}; echo "$first" "\${a##*$'\\n'}"; g() { local first="\${1%%$'\\n'*}" rest="\${1#*$'\\n'}"; echo "$first|$rest"; }; g "$a"; while [[ $a == *$'\\n'* ]]; do echo "<\${a%%$'\\n'*}>"; a=\${a#*$'\\n'}; done; echo "[$a]"; p=$'x\\n"q"\\ny'; echo "\${p%%$'\\n"'*}" \${p##*$'"\\n'}; if [ "\${p%%$'\\n'*}" = x ]; then echo x; fi; x="$(echo "\${p#*$'\\n'}")"; echo "$x"; t=$'a\\tb'; echo "\${t%%$'\\t'*} \${t#*$'\\t'}"`,
    "set -a; X=1; set +a; env | grep -c '^X='; set -o allexport; Y=2; set +o allexport; env | grep -c '^Y='; set -ea; echo on; (false; echo no); echo no",
  ],
  'quotes in what stands for a variable without a value': [
    `v='a b'; printf '<%s>' \${v:+"$v"}; echo; printf '<%s>' \${u:-"$v"} \${u:-'q r'} "\${u:-"$v"}" "\${v:+"x y"}"; printf '<%s>' \${v:+--x "$v"} \${v:+-f "$v" -g} \${none:+-f "$v"} end; c() { printf '[%s]' "$@"; echo; }; opts=; c \${v:+-v} \${opts:+"$opts"} file; opts='-a -b'; c \${v:+-v} $opts; c \${opts:+"$opts"}; c pre\${1:-"$v"}`,
    `v='a  b'; x=\${u:-"$v"}; echo "$x"; x=\${v:+"<$v>"}; echo "$x"; echo \${u:-"a  b"}; case \${u:-"$v"} in 'a  b') echo c;; esac; [ \${u:-"$v"} = "$v" ] && echo eq; [[ \${u:-"$v"} == "$v" ]] && echo eq2; y="pre\${u:-"$v"}post"; echo "$y"; export E=\${u:-"$v"}; echo "$E"; h() { local a=\${1:-"$v"} b="\${2:-"$v x"}"; echo "$a|$b"; }; h; h p q; : \${w:="d e"}; echo "$w"; : \${q:="$v"}; echo "$q"; printf '<%s>' \${zz:="d e"}; e=; printf '<%s>' \${u:-"$e"} \${u-""} x`,
    `set -- a 'b c'; for x in "\${@:-q}"; do echo "<$x>"; done; printf '<%s>' "\${@:-q}" "\${@-q}" "\${*:-q}" \${1+"$@"}; h() { for a in "\${@:-x y}" z; do echo "<$a>"; done; printf '<%s>' "\${@:-d e}" "\${@:+n}"; echo; set -- "\${@:-p q}"; echo "$#"; }; h; h 1 '2 3'; h ''; set --; printf '<%s>' \${1+"$@"} "\${@:-n}"; echo "\${@:-none}" \${@:-m}`,
    `for x in \${u:-"a b" c}; do echo "<$x>"; done; v='p q'; for x in \${v:+"$v"} \${u:+"$u"} \${u-'r s'}; do echo "<$x>"; done; ls \${none:+"$none"} | wc -l; x=$(printf '<%s>' \${v:+"$v"}); echo "$x"; printf '<%s>' \${v:+--n="$v"} \${u:---n='a b'} > o; cat o; set -u; printf '<%s>' \${nope:+"$nope"} \${nope:-"a b"}; while read -r l; do printf '<%s>' \${l:+"$l"} \${nope:-"n $l"}; done <<< 'a b'`,
  ],
  'tee to a path that is not there': [
    'echo x | tee /nope/f; echo $?; echo y | tee /nope/f o 2>/dev/null; cat o; echo z | tee -a o /nope/f | cat; cat o; printf "a\\nb\\n" | tee /nope/f 2>&1 >/dev/null | wc -l; set -o pipefail; echo x | tee /nope/f | cat; echo $?',
    'echo x | tee nope/f; echo $?; echo y | tee nope/f o 2>/dev/null | cat; cat o; n=d/nope/f; echo z | tee "$n"; echo $?; echo z | tee -a d/h; cat d/h; echo q | tee d/i d/j; cat d/i d/j; seq 3 | tee nope/x | tail -1; echo x | tee d/.; echo $?; echo w | tee ""; echo $?',
    'echo a | tee /dev/null; echo b | tee /dev/stdout | cat; seq 2 | tee d/none/f /dev/stdout o | wc -l; cat o; echo c | tee -a /dev/null; gzip -c f > z; tar -cf /dev/null z; echo $?',
  ],
  'parameters of two digits': [
    'set -- a b c d e f g h i j "k  l"; echo ${10} ${11} "${11}"; echo $10 $1a ${1}0; f() { echo "[${10}] [${12}]"; }; f 1 2 3 4 5 6 7 8 9 "te n"; x=${11}; echo $x',
  ],
  'the status of a substitution as a command': [
    'if $(grep -q a f); then echo y; fi; if $(grep -q zzz f); then echo y; else echo n; fi; $(echo echo a b); $(echo "printf %s\\n x"); ! $(false) && echo neg; $(exit 3) || echo $?; f() { $(exit 4); }; f; echo $?; `exit 5`; echo $?; $(true) && echo t; set -e; $(false); echo no',
  ],
  'in of case on a line of its own': [
    'f() {\n  case $1\n  in\n    a|b) echo ab ;;\n    *) echo other ;;\n  esac\n}\nf a; f z; case in\nin\n (in) echo in;; esac',
  ],
  tr: [
    "printf 'a\\0b\\n' | tr '\\0' x; printf 'a\\0b' | tr -d '\\000'; echo abc | tr '\\141' X; echo x:y | tr : '\\012'; find . -name f -print0 | tr '\\0' '\\n'",
    "echo abc | tr abc '[x*]'; echo abc | tr abc '[x*2]y'; echo abc | tr -c a '[z*]'; echo 'a[b]' | tr '[]' '()'; echo AbC | tr '[a-z]' '[A-Z]'",
    "echo 'a1!B f' | tr -d '[:punct:]'; echo 'a1!B' | tr -cd '[:print:]'; echo aF1g | tr -d '[:xdigit:]'; printf 'a\\001b' | tr -d '[:cntrl:]'; echo 'a b' | tr -d '[:graph:]'",
    'echo abc | tr a; echo $?; echo abc | tr c-a x; echo $?; echo abc | tr a ""; echo $?; echo abc | tr -d a b; echo $?; tr; echo $?',
    "for s in '[:upper:]' '[:digit:]' 'x[:upper:]' '[=y=]' '[x*][y*]'; do echo ab1 | tr a-z \"$s\"; echo $?; echo ab1 | tr '[:lower:]' \"$s\"; echo $?; echo ab1 | tr -c a \"$s\"; echo $?; echo ab1 | tr -s a \"$s\"; echo $?; echo ab1 | tr -ds a \"$s\"; echo $?; done",
    "for s in '[:lower:]x' 'x[:lower:]' '[:alpha:]' '[:upper:][:lower:]' '[:upper:]abc'; do for t in '[:upper:]' 'y[:upper:]' '[:lower:][:upper:]' '[:upper:]' '[:lower:]xyz'; do echo aAxB1 | tr \"$s\" \"$t\"; echo $?; echo aAxB1 | tr -t \"$s\" \"$t\"; echo $?; done; done",
    "printf 'a\\vb\\fc\\bd' | tr '\\v\\f\\b' 123; echo abcabc | tr -t abc xy; echo aabbc | tr -s a-c; echo aabb | tr -ds a b; echo aabb | tr -s a-z A-Z; echo 'error  off' | tr -s ' ' '\\n'; echo 'a  b' | tr -cs 'a-z\\n' _",
    'x=a; echo abc | tr "$x" b; echo abc | tr --delete $x; echo aab | tr --squeeze-repeats a; tr "[:upper:]" "[:lower:]" < f; tr a-z A-Z < f | tr "\\n" ,',
  ],
  'programs that print beside read in a loop': [
    'printf \'1|a\\n2|b\\n3|c\\n\' > db; while IFS=\'|\' read -r id t; do m=" "; [ "$t" = b ] && m=x; printf "[%s] %3d %s\\n" "$m" "$id" "$t"; done < db; cat db | while read -r l; do printf \'%5s\\n\' "$l"; done; for i in 1 2; do printf \'%02d \' $i; done; echo',
    'printf \'1|a\\n2|b\\n3|c\\n\' > db; while read -r l; do echo -e "x\\x41 $l"; done < db; while read -r l; do echo -e "a\\t$l\\c"; done < db; echo',
    'printf \'1|a\\n2|b\\n3|c\\n\' > db; f() { printf \'%-6s|\\n\' "$1"; }; while read -r l; do f "$l"; done < db; while read -r l; do printf \'%.2f\\n\' 1.5; read -r m; echo "$l $m"; done < db; n=0; while read -r l; do n=$((n+1)); printf \'%3d: %s\\n\' "$n" "$l" > out; cat out; done < db; while read -r l; do x=$(printf \'%03d\' 7); echo "$x $l"; done < db; while read -r l; do printf \'%q %c\\n\' "$l" "$l"; done < db; while read -r l; do if printf \'%5s\' "$l" | grep -q b; then echo "has $l"; fi; done < db; { read -r a; printf \'%4s\\n\' "$a"; read -r b; echo "$b"; } < db; printf \'%4s\\n\' x | while read -r q; do printf \'%2s|\' "$q"; done; echo; while read -r l; do stat -c \'%s\' db; echo "$l"; done < db; while read -r l; do basename "/x/$l"; expr 1 + 1; date -d @0 +%Y; seq 2; done < db | wc -l',
  ],
  'redirections of a function': [
    'f() { cat; } < f; f | head -1; g() { echo x; echo e >&2; } > o 2> /dev/null; g; cat o; function h { echo y; } >> o; h; h; cat o; k() ( echo z ) > o; k; cat o; m() { echo "$1"; } > "$1.txt"; m q; cat q.txt',
  ],
  'ls with all, of a tree, in long': [
    'ls -a; ls -a d; ls -1a; ls -A; ls -aR; ls -R; ls -R .; ls -R d; ls -R d f; mkdir "a b"; touch "a b/x"; ls -R "a b"',
    "ls -la | wc -l; ls -l | head -1; ls -l d | head -1; ls -l | tail -n +2 | wc -l; ls -laR | wc -l; ls -lR | grep -c '^total'; mkdir e; ls -la e | wc -l; ls -l e; ls -a f; ls -l f | wc -l",
    "ls -la | cut -c1 | tr -d '\\n'; cd d; ls -la | wc -l; ls -a ..",
  ],
  'command -v, which and type with redirections': [
    'command -v ls > /dev/null && echo yes; command -v nope > /dev/null 2>&1 || echo no; if ! command -v ls &> /dev/null; then echo missing; fi; which ls > /dev/null && echo y; which ls 2> /dev/null | wc -l; which ls | wc -l; type ls > /dev/null 2>&1; echo $?',
    'for t in awk jq nosuch tar; do if command -v "$t" >/dev/null 2>&1; then echo "$t: ok"; else echo "$t: missing"; fi; done; which awk >/dev/null && echo w; which nosuch || echo none; hash awk 2>/dev/null && echo h; hash nosuch &>/dev/null || echo n; which tar sed > /dev/null; echo $?; command -v awk nosuch > /dev/null; echo $?; x=$(command -v md5sum); echo "$x"; command -v while cd',
    'type ls awk; type cd; type if while; f() { :; }; type f >/dev/null && echo f; type -t ls cd if f awk; type -t nope; echo $?; type nope; echo $?; x=$(type -t f); [ "$x" = function ] && echo y; [ "$(type -t nope)" = "" ] && echo n; type -t [ test . echo; type [',
  ],
  'classes in patterns': [
    'x="  trim  "; echo "[${x%%[![:space:]]*}]" "[${x#"${x%%[![:space:]]*}"}]" "[${x%"${x##*[![:space:]]}"}]"; y=abc123; echo ${y%%[[:digit:]]*} ${y##*[[:alpha:]]} ${y#[a-c]} ${y%[[:alnum:]]}',
    'for x in " a" a 5 A _; do case $x in [[:space:]]*) echo space ;; [[:lower:]]) echo lower ;; [0[:digit:]]) echo digit ;; *[![:upper:]]*) echo other ;; *) echo upper ;; esac; done',
    '[[ " a" == [[:space:]]* ]] && echo s; [[ a == [![:space:]]* ]] && echo n; [[ 5 != [[:xdigit:]] ]] || echo x; [[ "a	b" == *[[:blank:]]* ]] && echo b',
  ],
  'printf of a width that is 0': ["printf '%*s|%*d|%-*s|\\n' 0 x 0 5 0 y; printf '%*s|\\n' -3 a"],
  'messages of builtins': [
    'type nope 2>/dev/null; type nope 2>/dev/null || echo no; type nope; type cd >/dev/null && echo y; type nope &>/dev/null || echo x; type nope > /dev/null 2>&1 || echo no; type nope 2> e; wc -l < e',
    'cd nope 2>/dev/null || echo no; cd d 2>/dev/null && basename "$PWD"; cd .. 2> e; cd nope 2> e; cat e | wc -l; cd nope 2>> e; wc -l < e; cat f',
    'x=$(cd nope 2>/dev/null && pwd); echo "[$x]"; cd f &>/dev/null || echo x; D="$(cd "$(dirname "f")" >/dev/null 2>&1 && pwd)"; [ "$D" = "$PWD" ] && echo same; cd nope > /dev/null 2>&1 || echo q; if cd nope 2>/dev/null; then echo y; fi; cd nope 2>&1 | wc -l',
  ],
  'redirections to a word that becomes several': [
    'x=\'a b\'; echo hi > $x; echo $?; sort < $x; echo $?; x=a; echo hi > $x; cat < $x; echo b >> ${x}.txt; cat a.txt; for i in 1 2; do echo $i; done > $x; while read -r l; do echo "<$l>"; done < $x',
    'set -u; p=.; ls > $p/out; cat $p/out; w() { echo "$1" > $1; }; w q; cat q',
  ],
  '! alone': ['! ; echo $?; !', 'set -e; ! ; echo y'],
  'digests and base64': [
    "md5sum f nope; echo $?; printf '' > e; md5sum e f; echo hi | md5sum; printf '%055d' 1 | md5sum; printf '%056d' 1 | md5sum -; sha256sum f e; printf '%064d' 1 | sha256sum | cut -d' ' -f1; sha1sum f e; find . -type f -exec md5sum {} \\; | sort; ls f g | xargs sha256sum",
    "seq 100 > a; base64 a; base64 -w0 a | wc -c; base64 a | base64 -d | md5sum; echo -n ab | base64; echo -n abc | base64 -w 0; echo; x=$(echo -n 'héllo' | base64); echo $x | base64 --decode; printf '' > e; base64 e",
  ],
  'diff and cmp': [
    "diff f g; echo $?; diff f f; echo $?; diff -u f g | tail -n +3; diff -q f g; diff -s f f; diff f nope; echo $?; if diff f g > /dev/null; then echo same; else echo other; fi; diff -q f g >/dev/null || echo x; printf 'b\\nc' > h; diff f h; diff -u h f | tail -n +3; diff --label x -L y -u f h",
    "printf '' > e; seq 3 > a; diff e a; diff a e; diff -u a e | tail -n +3; diff -u e a | tail -n +3; diff -U1 a e | tail -n +3; seq 30 > a; sed -e '5d' -e 's/^12$/x/' -e '20a new' a > b; diff a b; diff -u a b | tail -n +3; diff -U 0 a b | tail -n +3; diff -U1 b a | tail -n +3",
    "printf 'A b\\n' > a; printf 'a  b \\n' > b; diff -i a b; echo $?; diff -ib a b; echo $?; diff -iw a b; echo $?; diff - a < b; cat a | diff - b; printf 'f() {\\n  a\\n}\\n\\ng() {\\n  b\\n}\\n' > a; printf 'f() {\\n  a\\n}\\n\\nh() {\\n  c\\n}\\n\\ng() {\\n  b\\n}\\n' > b; diff a b; diff b a; diff -u a b | tail -n +3",
    'cmp f g; echo $?; cmp -s f g || echo d; cmp f f; echo $?; seq 3 > c; head -2 c > e; cmp c e; echo $?',
  ],
  'links, directories and modes': [
    'mkdir w; cd w; mkdir -p d/e; touch d/f; ln -s d/f l; ln -s l m; ln -s nope n; for x in l m n d/../d . d/e/ nope/x nope; do p=$(readlink -f $x); echo $? ${p#"$PWD"}; p=$(realpath $x 2>/dev/null); echo $? ${p#"$PWD"}; p=$(realpath -e $x 2>/dev/null); echo $? ${p#"$PWD"}; done; readlink l; readlink d || echo no',
    'mkdir w; cd w; touch a; ln -s a b; ln -sf c b; readlink b; ln -sf a new; readlink new; mkdir d; ln -sf ../a d; readlink d/a; ln -s d dl; ln -sfn a dl; readlink dl; ln -sf x dl; readlink dl; ls; ln -sf q d/; readlink d/q',
    "mkdir w; cd w; mkdir -m 700 d; stat -c %a d; mkdir -p -m 755 d/e/f; stat -c '%a' d/e/f d/e; mkdir -m 700 d; echo $?",
    "mkdir w; cd w; mkdir d; touch d/a; chmod -R 700 d; stat -c '%a %n' d d/a; chmod -R u+x,g+r d 2>/dev/null; chmod -R a-x d/a; stat -c %a d/a; chmod -R 755 nope; echo $?",
  ],
  'fold, column, shuf, split, xxd and od': [
    "mkdir w; cd w; echo abcdefghij | fold -w 4; echo 'the quick brown fox jumps' | fold -s -w 10; echo 'the quickbrownfoxjumps over' | fold -sw 10; seq 3 > a; fold -w1 a a; printf 'abc' | fold -w2",
    "mkdir w; cd w; printf 'a b\\nccc d\\n' | column -t; printf 'a,b,,d\\nccc,d,e,f\\n' | column -s, -t; printf 'a b\\n\\nc\\n' | column -t; printf 'a:b\\nccc:d\\n' | column -t -s :; printf 'a b\\nc dd\\n' | column -t -o '|'",
    'mkdir w; cd w; seq 3 | shuf | sort; shuf -i 1-5 | wc -l; shuf -n 2 -e a b c | wc -l; seq 9 > a; shuf -n1 a | wc -l; shuf a | sort | md5sum',
    'mkdir w; cd w; seq 10 > a; split -l 4 a; ls; cat xac; split -d -l 5 a p_; ls; cat p_01; seq 3 | split -l1 - q; cat qaa qac; split -l 4 -a 3 --additional-suffix=.txt a z; ls',
    "mkdir w; cd w; echo hi | xxd; seq 20 > a; xxd a; xxd -p a; xxd -l 5 a; printf 'a\\tb' | xxd -p",
    "mkdir w; cd w; echo hi | od -c; seq 20 > a; od -c a; od -An -tx1 a; od -A x -t x1 a | tail -1; printf 'a\\tb\\001' | od -c; printf '%040d' 0 | od -c; echo é | od -An -c; echo ab | od -An -tx1 | tr -d ' \\n'",
  ],
  'sort -h, cut --complement and ls with orders and marks': [
    "mkdir w; cd w; printf '2K\\n1M\\n3\\n1.5K\\n900\\n2G\\n' | sort -h; printf '2K a\\n1M b\\n3 c\\n' | sort -rh; printf 'a 2K\\nb 1M\\nc 3\\n' | sort -k2 -h; printf '10\\n9K\\n' | sort -hr | head -1",
    "mkdir w; cd w; echo a,b,c | cut -d, -f2 --complement; printf 'a:b:c\\nd\\n' | cut --complement -d: -f1; echo a,b,c | cut --complement -d, -f 2-",
    'mkdir w; cd w; touch b a c; ls -r; mkdir e; ls -p; ls -F; ls -1p e; ls -ar; ls -r b a; ln -s a l; ls -F; ls -l -r | tail -n +2 | wc -l; ls -rl | sed 1d | cut -c1; chmod +x a; ls -F; ls -aF; mkdir s; echo abc > s/b; touch s/a; ls -S s; ls -Sr s; ls -lS s | sed 1d | cut -c1',
  ],
  'the length of a value': [
    'x=héllo; echo ${#x} "${#x}"; y=日本語; echo $((${#y} + 1)); [ ${#x} -eq 5 ] && echo five; for w in one é; do echo "${#w}"; done; f() { echo ${#1} $# ${#@} ${#*}; }; f ab c; z=; echo ${#z}; n=$(printf "a\\nb"); echo ${#n}',
    'set -u; x=ab; echo ${#x}; while (( ${#x} < 4 )); do x=a$x; done; echo $x; case ${#x} in 4) echo four ;; esac; printf "%s\\n" "$x" | while read -r l; do echo ${#l}; done',
  ],
  'patterns of Perl': [
    String.raw`printf 'port=8080\nhost=localhost\n' | grep -oP '(?<==).*'; printf 'port=8080\nhost=localhost\n' | grep -oP '=\K.*'; printf 'port=8080\nhost=localhost\n' | grep -oP '\w+(?==)'; printf 'port=8080\nhost=localhost\n' | grep -oP '^\w+=(?!\d)'; printf 'port=8080\nhost=localhost\n' | grep -P '^\w+=(?!\d)'; printf 'port=8080\nhost=localhost\n' | grep -oP '\d+'; printf '"version": "1.2.3"\n' | grep -oP '"version":\s*"\K[^"]+'; printf 'a<b>c</b>\n' | grep -oP '<b>\K.*?(?=</b>)'; printf 'a<b>c</b>\n' | grep -oP '(?<=<b>).*?(?=</b>)'; printf 'foobar\n' | grep -oP 'foo(?=bar)'; printf 'ERROR: x\nerror: y\n' | grep -iP '(?i)error: \w'`,
    String.raw`printf 'ERROR: x\nerror: y\n' | grep -oP '(?i)error: \K\w'; printf 'key = "a b"\nother=1\n' | grep -oP '=\s*\K\S.*'; printf 'v1.2.3 v10.0\n' | grep -oP 'v\K[\d.]+'; printf 'v1.2.3 v10.0\n' | grep -oP '(?<=v)\d+'; printf 'foo.ts\nfoo.test.ts\n' | grep -P '^(?!.*\.test\.).*\.ts$'; printf 'foo.ts\nfoo.test.ts\n' | grep -vP '\.test(?=\.ts$)'; printf 'user: bob, id: 42\n' | grep -oP '(?:id|uid): \K\d+'; printf 'a1b22\n' | grep -oP '[a-z](?=\d{2})'; printf 'x="1" y="2"\n' | grep -oP '"\K[^"]*(?=")'; printf 'aXbXc\n' | grep -oP 'a.*?X'; printf 'hello\n' | grep -cP '(?<!h)l'; echo $?`,
    String.raw`printf 'hello\n' | grep -qP 'z(?=a)'; echo $?; printf 'a\nb\n' > p1; printf 'b1\n' > p2; grep -nP 'b(?=1)|\Ka' p1 p2; grep -lP '(?=b)b' p1 p2; grep -cP '(?=b)b' p1 p2; grep -hoP '\w(?=1)' p1 p2; printf 'a b\n' | grep -oP '\w+(?=\s|$)'; printf 'href="x.html" href="y.html"\n' | grep -oP 'href="\K[^"]+'; printf 'import x from "lodash"\n' | grep -oP "from ['\"]\K[^'\"]+"; printf '2024-01-02 ERROR foo\n' | grep -oP '^\d{4}-\d{2}-\d{2}(?= ERROR)'; printf 'Total: 42 ms\n' | grep -oP 'Total:\s+\K\d+(?=\s*ms)'; printf 'ab\n' | grep -oP '(?<=a|x)b'; printf 'ab\n' | grep -oP '(?i)A\KB'; printf 'aaa\n' | grep -oP 'a(?=a)'; printf 'x{y}\n' | grep -oP 'x\K\{[^}]*\}'`,
    String.raw`printf 'x{y}\n' | grep -oP 'x\K{y}'; printf 'foo-bar_baz\n' | grep -oP '[\w-]+(?=_)'; printf 'a]b\n' | grep -oP '[\]]\Kb'; printf 'a.b\n' | grep -oP '(?<=\.)[^.]+$'; printf 'no\n' | grep -oP '\d+(?=x)' ; echo $?; grep -oP '\Kx' nofile; echo $?; printf '/usr/local/bin\n' | grep -oP '[^/]+$'; printf '/usr/local/bin\n' | grep -oP '(?<=/)[^/]+(?=/)'; printf 'k=v;k2=v2;\n' | grep -oP '(\w+)=\K\w+'; printf 'abab\n' | grep -oP '(ab)\1'; printf 'abcabc\n' | grep -oP '(?=(abc))\1'`,
    String.raw`printf 'abab\n' | grep -oP '(ab)\1'`,
    String.raw`mkdir -p src/in; printf 'a=1\n' > src/a.ts; printf 'b=2\n' > src/in/b.ts; printf 'c=3\n' > src/c.js; grep -rnoP '=\K\d' src | sort; grep -rohP '=\K\d' src --include='*.ts' | sort; grep -rlP '(?<=b)=' src; cd src; grep -rP 'a(?==)'; grep -rP 'a(?==)' .; grep -rP 'a(?==)' a.ts`,
    String.raw`mkdir d; grep -oP '\Kx' d; echo $?`,
    String.raw`printf 'x\n' | xargs -I{} grep -oP '(?<=a){}' nofile; echo $?; find . -name 'nope' -exec grep -oP '\Ka' {} \;; printf 'a=b\n' | grep -oP -e '=\K.*'; printf 'a=b\n' | grep -o --perl-regexp '=\K.*'; printf 'a=b\na=c\n' | grep -m1 -oP '=\K.*'; printf 'é=b\n' | grep -oP 'é=\K.*'; x=$(printf 'version = "1.2"\n' | grep -oP 'version = "\K[^"]+'); echo "$x"; printf 'a=b\n' > f; while read -r l; do grep -oP '=\K.*' f; done < f; if printf 'a=b\n' | grep -qP '=(?=b)'; then echo yes; fi`,
  ],
  'texts of files that jq prints': [
    `echo '{"v":"1.2.3","n":"one\\ntwo","e":"","t":true,"u":null,"f":1.50,"g":1.0e3,"o":{"k":"x"},"l":["a","b"],"s":" x","q":"a\\"b\\\\","z":"a\\u0000b","w":"é","d":"2024-01-02","p":"/a/b","x":"x"}' > j; for k in v n e t u f g o l s q z w d p x none; do echo "$k:"; done; jq -r .v j; jq -r .n j; jq -r .e j; jq -r .t j; jq -r .u j; jq -r .f j; jq -r .g j; jq -r .o j; jq -r .l j; jq -r .s j; jq -r .q j; jq -r .z j | wc -c; jq -r .z j; jq -r .w j; jq -r .d j; jq -r .p j; jq -r .o.k j; jq -r '.l[0]' j; jq -r '.l[]' j; jq -r '.l[-1]' j; jq -r .none j; jq --raw-output .x j`,
    `set -e; echo '{"a":"x"}' > j; v=$(jq -r .a j); echo "[$v]"; jq -r .b.c j; echo "$(jq -r .a j) $(jq -r .b j)"; jq -r .a.b j; echo not here`,
    `jq -r .a nope; echo $?; jq -r .a d; echo $?; jq -r .a f || echo no JSON; : > e; jq -r .a e; echo $?; echo '{"a":"x"}{"a":"y"}' > j; jq -r .a j; echo '{"a":"x"} oops' > j; jq -r .a j || echo no JSON; echo '{"a":"x","a":"y"}' > j; jq -r .a j; echo '{"a": NaN}' > j; jq -r .a j; echo $?`,
    `echo '{"a":"x"}' > j; n=j; jq -r .a "$n"; jq -r .a $n; jq -r .a j > o; cat o; jq -r .a j | tr x y; printf 'j\\nj\\n' | while read -r one; do jq -r .a "$one"; done; jq -r .a j nope 2>&1; echo $?; if jq -r .a j; then echo yes; fi; jq -r .b j && echo null; f() { jq -r .a "$1"; }; f j; xargs -I{} jq -r .a j < g; V=1 jq -r .a j; echo '{"a":"y"}' > ./-j; jq -r .a ./-j; jq -r . j; echo '"text"' > t; jq -r . t; echo '["text"]' > t; jq -r '.[]' t`,
  ],
  'paths as filters of jq': [
    `echo '{"a":[1,{"b":"x"}],"c":null}' > j; jq . j; jq -c '.a[]' j; jq -r '.a[1].b' j; jq .c.d j; jq '.a[5]' j; jq '.[]' j | head -3; jq -e .c j; echo $?; jq -r .a j nope; echo $?; cat j | jq -c .a`,
    `echo '{"b":1.50,"a":"é\\u0000"}{"and":2}' > j; jq -c . j; jq -cS . j; jq -a .a j; jq -s '.[1].and' j; jq .and j; jq -j .b j; x=j; jq --tab . "$x"; jq .b j > o; cat o; xargs -I{} jq .b j < g; jq .a d; echo $?`,
    `echo '{"a":1}' > j; jq '.a.b' j; echo $?; jq '.a[]' j; echo $?; jq '.[0]' j; echo $?; echo '[[1,2],[3]]' | jq '.[][0]'; jq .ENV j; jq . /dev/null; echo $?`,
  ],
  'grep of the current directory': [
    'cd d; grep -rn a .; echo $?; grep -rn nope . || echo "none $?"; grep -rc a ./; if grep -rl a .; then echo found; fi; ! grep -rq nope . && echo neg; grep -rn a . > ../o; cat ../o; grep -rn a . | wc -l; x=$(grep -rn a .); echo "$x"',
    'cd d; set -e; grep -riE "A|x" . && echo y; for i in 1 2; do grep -r a . ; done; (grep -rn a .); f() { grep -rn "$@" .; }; f a; grep -rn nope .; echo not here',
    'mkdir e; cd e; grep -rn a .; echo $?',
  ],
  'assignments that need one before them': [
    'a=1 b=$a; echo $b; a=1 c=${a}x d="$c/y"; echo $d; a=2 a+=3 a=${a}4; echo $a; x+=1 y=$x; echo $y',
    'a=1 b=$a && echo $b; if c=2 d=$c; then echo $d; fi; e=$(f=3 g=$f; echo $g); echo $e',
    'set -e; a=1 b=$a; echo $b; f() { c=2 d=$c; echo $d; }; f && echo on; e=$(false) g=$e; echo no',
    'x=5; x=$((x + 1)) y=$((x * 2)); echo $x $y; f() { echo $((n * 2)); }; n=3 m=$(f); echo $m',
    'false; a=1 b=$a$?; echo $b',
    'for i in 1 2; do a=$i b=$a; echo $b; done; (a=7 b=$a; echo $b); a=8 b=$a | cat; echo $a $b',
  ],
  'the status of assignments': [
    'x=$(true) y=$(false); echo $?; x=$(false) y=1; echo $?; x=$(false) y=$(true); echo $?',
    'x=$(echo a) y=$(echo $x$x; exit 4) z=$y; echo $? $x $y $z',
    'x="$(echo a; exit 3)$(echo b)"; echo $? $x; x="$(true) $(false)" || echo failed',
  ],
  'exit in a substitution': [
    'echo "$(echo a; exit 3; echo b)" $(echo c; exit)d',
    'x=$(echo a; exit 300; echo b); echo $? $x; n=-1; x=$(exit $n); echo $?; x=$(exit $((n + 4))); echo $?',
    'x=$(for i in 1 2 3; do echo $i; [ $i = 2 ] && exit 4; done; echo no); echo $? $x',
    'x=$(if true; then echo t; exit 2; fi; echo no) || echo "$? $x"; x=$( (exit 3); echo $? ); echo $x',
    'x=$(echo q | { read y; echo $y; exit 5; }; echo $?); echo $x',
  ],
  eval: [
    "f() { eval 'return 3'; echo no; }; f; echo $?; f() { eval 'exit 4'; echo no; }; f; echo no",
    'f() { exit 3; }; g() { eval "$1"; echo no; }; g f; echo no',
    'f() { exit 3; }; x=f; eval $x; echo no',
    "x=$(eval 'echo a; exit 3'; echo no); echo $? $x; eval 'echo a; exit 3' | cat; echo on; (eval 'exit 5'); echo $?",
    "eval 'x=abc; echo ${x:1}'; eval 'for i in 1 2; do echo $i; done' > o; cat o; eval 'g() { echo in; }'; g",
    'run() { echo "+ $*"; eval "$@"; }; run \'x=1\'; run echo \'$x\' b; c=cat; eval "$c" < g; eval "$c f" | wc -l',
    'f() { eval "$1=\\$2"; }; f q "a b"; echo "$q"; eval "echo \\$q" exiting; set -- q; eval "echo \\${$1}"',
  ],
  'values in arithmetic': [
    'x=y; y=5; echo $((x + 1)) $(($x + 1)) $((-x)); x="1 + 2"; echo $((x * 2)); for ((i = 0; i < x; i++)); do echo $i; done',
    'x=042; y=0x10 z=" 7 "; echo $((x + 1)) $((y + 1)) $((z + 1)); ((x++)); ((y += x)); echo $x $y; n=-7; echo $((1 - n)) $((-n))',
    'x=8; echo $((${x:-0} + 1)) $((${none:-3} * 2)) "$((${#x} + 1))"; f=file8; echo $((${f#file} + 1)); ((${x:-0} > 5)) && echo yes',
    'h=08; m=090; echo $((10#$h + 1)) $((10#${m} * 2)); x=5; echo $((x++ + x)) $((x--)) $x $(((x = x * 2) + x))',
    'unset x; e=; echo $((x + 1)) $((e * 2)) $((!e)) $((x ? 1 : 2)); w=word; echo $((w + 1))',
  ],
  'a substitution in arithmetic': [
    'echo $(( $(echo 1; exit 3; echo 2) + 1 )); f() { echo 4; exit 3; }; echo $(( $(f) * $(f) )); (( $(f) > 3 )) && echo yes',
    'echo 5 > n; echo $(( $(< n) + $(if true; then echo 1; fi) )) $(( $(cat f | while read -r l; do echo 1; done | wc -l) ))',
  ],
  'the status before a substitution, a stage or a subshell': [
    'false; y=$(echo $?); echo $y; false; echo "a $(echo "$y $?")"; false; y="rc $(test $? -eq 1 && echo one)"; echo $y; f() { echo "$y $?"; return 3; }; false; f | cat; x=$(f); echo "$x $?"; x=a; false; echo "$x $?" | tee o; false; (echo "$x $?") | cat; x=$(false); echo "$x $?" | sort',
    'x=$([[ $y =~ ^[a-z]+$ ]]); echo "$x $?"; x=~/$(false); echo $?; x=a:~/b$(exit 4); echo "$?"; y=~ x=$(ls ~ > /dev/null; false); echo $?; for i in $(false; echo $?); do echo $i; done; false; for i in $(echo $?) 2; do echo $i; done; false; case $(echo $?) in 1) echo one ;; esac',
    'x=abcdef; echo ${x:${#x}-1} ${x: -2} ${x:0:${#x}-2}; for ((i=${#x}-1; i>=0; i--)); do printf %s "${x:i:1}"; done; for ((i=0; i<2; i++)); do for ((j=0; j<${i}+1; j++)); do y=ab; echo ${y^^} ${y:j:1} ${y/a/$i}; done; done',
  ],
  'a redirection without a command': [
    '> o; ls; cat f > p; > p; wc -c < p; >> q && echo made; for i in 1 2; do > "o$i"; done; f() { > fo; }; f; ls',
    'x=$(< g); echo $x; y="$(<f)"; echo "$y"; for w in $(<list); do echo $w; done; f() { local v=$(< "$1"); echo $v; }; f g',
    'x=$(< nope) || echo "$? [$x]"; > nodir/x; echo $?; if > o; then ls o; fi; while read -r l; do x=$(<$l); echo $x; done < list',
  ],
  'head of all lines but the last ones': [
    'seq 5 | head -n -2; seq 5 | head -n-1; seq 4 > s; head -n -3 s; seq 5 | tail -n +3; seq 5 | tail -n -2; head -n -1 f',
  ],
  'echo of -e in a variable': [
    "x=-e; echo $x '\\x41\\tb'; echo \"$x\" '\\u00e9' | cat; x=-en; echo $x '\\e[0m' > o; cat o; echo $x 'a\\tb'",
    "x='a\\x41'; echo $x; echo \"$x\" b; y=-E; echo $y '\\x41'; n=-n; echo -e $n '\\x41'",
  ],
  comm: [
    "comm f g; echo $?; printf 'b\\na\\n' > p; printf 'a\\nb\\n' > q; comm p q; echo $?; comm -12 p q; echo $?",
    "printf 'b\\na\\n' > p; cp p q; comm p q; echo $?; echo c >> q; comm p q; echo $?; comm --nocheck-order p f; echo $?",
    "printf 'a\\nd\\nc\\n' > p; printf 'b\\n' > q; comm -3 p q; echo $?; printf 'a\\nb\\n' > p; comm p q; echo $?",
  ],
  'sed of several files': [
    "sed 1d f g; sed -n 4p f g; sed -n -e '$p' f g; sed '$!d' f g; sed -n 2,4p f g; sed 2q f g > o; cat o; sed '1!G;h;$!d' f g | cat; sed -n '/c/,/x/p' f g; printf q > n; sed -n 2p n f",
    "sed -s 1d f g; sed -sn '$p' f g; sed -i 1d f g; cat f g; find f g -exec sed -i '$d' {} +; cat f g; xargs sed -n 2p < list",
    'sed 1d nope f g; echo $?; sed -n 4p f nope g; echo $?; sed 2d f d g; echo $?; x=\'f g\'; sed -n 4p $x; set -- f g; sed -n 4p "$@"; sed -n 4p [fg]; sed -n 4p $(cat list)',
    'sed s/a/b/ f g; sed -n /x/p f g; xargs sed -n 4p < list; find f g -exec sed -n 4p {} +; find f g -exec sed -n 1p {} \\;',
  ],
  'sed that replaces texts in files': [
    "printf 'version=1.2.3\\nurl=a/b?c\\n\\n(x) [y] {z} 100%%\\ncaf\u00e9 d\u00e9j\u00e0\\nend' > t; sed s/a/b/ t; sed 's/1.2.3/2.0/;s|a/b|%2F|' t f; sed 's/caf./&s/g;s/d.j/&/' t; sed -E 's/\\(x\\)/\\&/;s/[a-z]+/<&>/g' t > o; cat o",
    "printf 'a.b.c 1\\n  x\\n' > t; sed 's/\\./-/g;s/^ */\\t/' t; sed 's/$/;/' t; sed 's/^/# /' t; sed 's/[0-9]*$/\\n&/' t; sed 's/[^.]*/Q/' t; sed 's/[^.]*/Q/g' t; sed 's/x*/-/g' t; sed -r 's/ ?x/y/' t; sed 's/a.*c/[&]/' t",
    "printf 'a\\nb' > t; chmod 755 t; sed -i s/b/c/ t; cat t; [ -x t ] && echo x; sed -i -E 's/a|c/d/g;s/d+/e/' t f; cat t f; sed -i s/e/q/ nope t; echo $?; cat t; mkdir d; sed -i s/q/r/ d t; echo $?; cat t; sed s/r/s/ d t; echo $?; sed s/r/s/ nope t; echo $?",
    'x=f; sed s/a/b/ "$x" g; sed s/a/b/ $x; x="f g"; sed s/a/b/ $x; sed s/a/b/ [fg]; sed s/a/b/ nope*; echo $?; cat f | sed s/a/b/ -; e=; cat f | sed s/a/b/ $e; sed s/a/b/ f | tail -n 1; y=$(sed s/a/b/ f g); echo "$y"; sed -i s/a/b/ $e; echo $?',
    "i=0; while [ $i -lt 3000 ]; do printf 'ab '; i=$((i+1)); done > t; sed 's/a.*b/x/' t; echo; echo >> t; sed 's/a.*b/x/' t; sed -i 's/b.*$/y/' t; cat t",
  ],
  'sed of other scripts': [
    "sed -i 2q f g; cat f g; sed -s 2q g list; sed -s -n '$p' f g; echo a | sed 's/a/\\U&b/'",
    'printf q | sed -e p',
    "printf 'a\\nb' | sed -e p -n",
    "printf 'a\\nb' | sed -n -e '$p'",
    "printf 'a\\nb' | sed -e 1d",
    "printf 'a\\nb' | sed -e '$d'",
    "printf 'a\\nb' | sed -n -e 1p",
    "printf 'one\\ntwo' > n; sed -e s/x/y/ n; echo z",
    "printf 'one\\ntwo' > n; sed -e s/o/y/p n; echo z",
    "printf 'one\\ntwo' > n; sed -n -e s/o/y/gp n; echo z",
    "printf 'one\\ntwo' > n; sed -n -e s/n/y/p n; echo z",
    "printf 'one\\ntwo' > n; sed -e s/x/y/ n f; echo z",
    "printf 'one\\ntwo' > n; sed -e s/x/y/ f n; echo z",
    "printf 'one\\ntwo' > n; sed -s -e '$d' f n; echo z",
    "printf 'one\\ntwo' > n; sed -i -e s/t/T/ n; cat n; echo z",
    "printf 'one\\ntwo' > n; sed -i.bak -e s/t/T/ n f; cat n; echo z; cat n.bak f f.bak",
    "printf 'a\\nb' | sed -e G; echo z",
    "printf 'a\\nb' | sed -e '$a x'; echo z",
    "printf 'a\\nb' | sed -e 'a x'; echo z",
    "printf 'a\\nb' | sed -e 'i x'; echo z",
    "printf 'a\\nb' | sed -e '2c x'; echo z",
    "printf 'a\\nb' | sed -e 2q; echo z",
    "printf 'a\\nb' | sed -e 1q; echo z",
    "printf 'a\\nb' | sed -e '1!G;h;$!d'; echo z",
    "printf 'a\\nb\\nc' | sed -e n -e d; echo z",
    "printf 'a\\nb' | sed -e 'n;d'; echo z",
    "printf 'a\\nb' | sed -n -e '/b/{p;p}'; echo z",
    "printf 'a\\nb' | sed -e '/b/!p'; echo z",
    "printf 'a b\\nb a' | sed -E -e 's/(a) (b)/\\2\\1/;2s/b/X/p'; echo z",
    "printf 'a\\nb' | sed -e 'y/ab/xy/' -e '2,$s/^/>/'; echo z",
    "printf '' | sed -e p; echo z",
    "printf '\\n' | sed -e p; echo z",
    "sed -e '1,1p' f; sed -e 's/a/b/p' f; sed -n -e '$p' f g; sed -e '2q' f; sed -e 'p;p' f",
    "sed -e 's/a*/x/g' f; sed -e 's/b*/-/2' f; sed -n -e 's/\\(.\\)\\(.*\\)/\\2\\1/p' f",
    "sed -E -e 's/(a|ab)(c|bcd)(d*)/[\\1][\\2][\\3]/' <<< abcd",
    "sed -E -e 's/(^|[^a-z])x/\\1Y/g' <<< 'x ax x'",
    "sed -e 's/[^,]*,//2' <<< 'a,b,c,d'",
    "sed -e ':a;s/^\\(\\s*\\)x/\\1y/;ta' <<< '  xxx'",
    "sed -e ':a' -e 'N' -e '$!ba' -e 's/\\n/,/g' f",
    "sed -e '$!N;P;D' f; sed -e 'N;N;s/\\n/+/g' f; sed -n -e '$=' f",
    "sed -e '/a/,/x/d' f; sed -e '0,/b/d' f; sed -e '2~2d' f; sed -e '/b/,+1d' f; sed -n -e '2,${p;=}' f",
    "sed -e 's/\\bc\\b/[&]/; s/x/\\U&y\\E&/; s/^b/\\u&/' f",
    "sed -e 's|/usr|/opt|g;s/a\\/b/c/' <<< '/usr/a/b/usr'",
    'sed -e \'s/.*/"&"/\' -e \'s/"/\\\\"/g\' f',
    "sed -E -e 's/^(.)(.)?/\\2\\1/' f",
    "sed -e '/^$/d;s/^[ \\t]*//;s/[ \\t]*$//' <<< $'  a  \\n\\n b'",
    "sed -E -e 's/([0-9]{1,3})(\\.[0-9]+)?/<\\1>/g' <<< '12.5 1234'",
    "sed -e '/a/r g' f; sed -e '/a/c\\' -e 'new' f; sed -e '1i\\' -e 'one\\' -e 'two' f; sed -e 'y/abc/xyz/' f",
    "sed -e 's/\u00e9/e/g;s/./X/2' <<< '\u00e9\u00e0\u00e9'",
    "sed -e 's/A/b/I' f; sed -e '/A/Id' f; sed -ne '/a/{n;p;q}' f; sed -e '2q5' f",
    "sed -n -e '/b/{/x/{p};p}' f",
    "sed -n -e '/c/{/x/{p};p}' f",
    "sed -n -e '/a/{/x/{p};p};$p' f",
    "sed -n '/b/{p;p}' f",
    "sed -e 'a x' -e s/a/Q/ f",
    "sed -e '1i x' -e s/a/Q/ f",
    "sed -e '/a/{s/a/Q/;p}' f",
    "sed -e '/a/{a\\' -e 'x' -e '}' f",
    "sed '/a/a\\x' f",
    "sed '2c\\new' f",
    "sed -e '2c new' -e '$d' f",
    "sed '1i\\  two' f",
    "sed '$a end\ns/a/Q/' f",
    "sed '1{i first\n}' f",
    "sed -e '1{s/b/B/}' -e '2{s/a/A/}' f",
    "sed '/a/{n;s/c/C/}' f",
    "sed '/b/,/a/{s/^/> /}' f",
    "sed '/b/,/a/{/a/!s/^/> /}' f",
    "sed '/b/!{/a/!d}' f",
  ],
  'sed of a text without a line break at its end': [
    "printf q | sed p; printf 'one\\ntwo' > n; sed s/x/y/ n; echo z; sed s/x/y/ n > o; cat o; echo z; sed s/x/y/ n | cat; sed -i s/t/T/ n; cat n; echo z; sed s/x/y/ < n; echo z; cat n | sed 1d; echo z; echo a | sed p; f() { printf q; }; f | sed p",
  ],
  'sed of a range that ends on its first line or before': [
    "sed -n 2,2p f; sed -n '2,1p' f; sed '3,1d' f g; sed '1,1!d' f; sed -n 1,2p f; sed -n '2,$p' f",
  ],
  jq: [
    String.raw`jq -nc '"a\nb"|[test("a.b"), test("a\\nb"), test("a$"), test("^b"), test("b$")], ("a\n"|[test("a$"), test("a\\n$")])'; jq -nc '"foo bar"|[match("(?<x>o+) (?<y>b)").captures[].name], capture("(?<first>\\w+) (?<second>\\w+)")'; jq -nc '"v1.2.3"|[test("(?=v)"), sub("(?<=v)\\d";"X"), [match("\\d(?=\\.)";"g").string], test("(?!x)v")]'; jq -nc '"aXbX"|[match("a.*?X").string], [scan("(?:a|b)X")], gsub("[\\s\\d_X]";"")'; jq -nc '"a-b]c"|[match("[\\w-]+").string], [match("[\\]]").string], [match("[^\\]]+").string]'; jq -nc '"abc"|gsub("(?<l>[a-z])";"\(.l)-")'; jq -nc '"x{1}"|test("x\\{1\\}"), test("x{1}")'; jq -nc '["a1","b"]|map(select(test("\\d")))'`,
    "jq -nc '[range(4000) | (try error(\"x\") catch 1), first(range(3))] | add'; jq -n '[limit(4000; repeat(1))] | length'",
    'jq -c \'.a.b[1:]?, .a["b"][0], .a|keys\' <<< \'{"a":{"b":[1,2,3]}}\'',
    'jq -c \'.[] | select(.x > 1) | {name, x: .x}\' <<< \'[{"name":"a","x":1},{"name":"b","x":2}]\'',
    'jq -r \'.users[] | "\\(.name) is \\(.age)"\' <<< \'{"users":[{"name":"Al","age":3},{"name":"Bo","age":4}]}\'',
    'jq -c \'to_entries | map(select(.value > 1)) | from_entries\' <<< \'{"z":1,"y":2,"x":3}\'',
    `echo '["a",null,false,{"x":1}]' | jq -c to_entries; echo '[10,20]' | jq -r 'to_entries[] | "\\(.key):\\(.value)"'; echo '[]' | jq -c to_entries; echo '{"b":1,"a":null,"c":false}' | jq -c 'to_entries, with_entries(.value |= tostring)'; echo 1 | jq to_entries; echo $?`,
    'jq -c \'with_entries(.value += 1)\' <<< \'{"z":1,"y":2}\'',
    'jq -c \'group_by(.t) | map({t: .[0].t, n: length, s: (map(.v)|add)})\' <<< \'[{"t":"b","v":1},{"t":"a","v":2},{"t":"b","v":3}]\'',
    'jq -c \'sort_by(.v) | reverse | map(.v), (min_by(.v).v), (max_by(.v).v), (unique_by(.t)|length)\' <<< \'[{"t":"b","v":1},{"t":"a","v":2},{"t":"b","v":3}]\'',
    'jq -c \'.a = 5 | .b.c |= 3 | .d += 1 | .e //= 7 | del(.x)\' <<< \'{"x":1,"a":2}\'',
    "jq -c 'reduce .[] as $i (0; . + $i), [foreach .[] as $i (0; . + $i)], [limit(2; .[])], first(.[]), last, nth(1)' <<< '[1,2,3]'",
    'jq -c \'[.[] | if . > 2 then "big" elif . == 2 then "two" else "small" end]\' <<< \'[1,2,3]\'',
    'jq -c \'[paths], [leaf_paths], [..|numbers], getpath(["a",0])\' <<< \'{"a":[1,{"b":2}]}\'',
    "jq -c 'def f(x): x * 2; def g: f(.) + 1; map(g)' <<< '[1,2]'",
    "jq -c 'def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; [.[] | fac]' <<< '[1,5,10]'",
    'jq -c \'.[] as [$a, {b: $c}] | {a: $a, c: $c}\' <<< \'[[1,{"b":2}],[3,{"b":4}]]\'',
    'jq -c \'[.[] | tostring], [.[] | tojson], (map(type))\' <<< \'[1,"a",null,true,[1],{"a":1.5}]\'',
    'jq -r \'.[] | @csv, @tsv, @sh, @html, @uri, @base64, @json, @text\' <<< \'[["a b","c\\"d",1,null,true]]\' 2>/dev/null | head -3',
    "jq -r '@base64, (@base64|@base64d), @uri, @html, @sh' <<< '\"a b<&\\u00e9\"'",
    'jq -c \'test("a.c"), test("A";"i"), [match("(b)(x)?";"g").captures[0].string], capture("(?<y>\\\\d+)-(?<m>\\\\d+)"), sub("b";"X"), gsub("[abc]";"_"), [scan("[a-c]")], split(", *";null), ascii_upcase, ltrimstr("a"), (.|length)\' <<< \'"abc, 2020-05"\'',
    'jq -c \'[range(5)], [range(2;8;3)], ([1,2,3]|add/length), (7%3), (-7%3), (10/4), (1e3), pow(2;10), (2.7|floor), (9|sqrt), ([1,[2,[3]]]|flatten), ([3,1,2]|sort), ([1,1,2]|unique), ("a,b"|split(",")), (["a","b"]|join("-"))\' <<< \'null\'',
    'jq -c \'index("b"), rindex("b"), indices("b"), startswith("a"), endswith("c"), explode, (explode|implode), ascii_downcase, .[1:3], .[-1:]\' <<< \'"abcb"\'',
    'jq -c \'has("a"), (keys), (keys_unsorted), (to_entries[0]), (map_values(.+1)), (add), (any), (length), contains({a:1}), inside({a:1,b:2,c:3})\' <<< \'{"b":2,"a":1}\'',
    "jq -s -c '.' <<< '1 {\"a\":2} [3]'; jq -n -c '[inputs]' <<< '1 2'; jq -c -n 'input, [inputs]' <<< '1 2 3'",
    "jq -R -c '.' <<< $'a\\nb'; jq -Rs -c '.' <<< $'a\\nb'; jq -R -n -c '[inputs]' <<< $'a\\nb'; jq -Rr 'split(\",\")|.[1]' <<< 'x,y'",
    "jq --arg n v --argjson o '{\"k\":[1]}' -nc '{$n, o: $o.k[0]}, $ARGS.named'; jq -nc --args '$ARGS.positional' a b; jq -nc '[$ARGS.positional[]]' --jsonargs 1 '\"x\"'",
    "jq -e '.a' <<< '{\"a\":false}'; echo $?; jq -e '.a' <<< '{\"a\":1}'; echo $?; jq -e empty <<< 1; echo $?",
    'jq -j \'.[]\' <<< \'["a","b",1]\'; echo; jq -a . <<< \'"é😀"\'; jq -S -c . <<< \'{"b":{"d":1,"c":2},"a":3}\'; jq --tab . <<< \'{"a":[1]}\'; jq --indent 1 . <<< \'{"a":[1]}\'',
    "jq '.[0' <<< '[]'; echo $?; jq 'nofn' <<< 1; echo $?; jq '.a' <<< '[1]'; echo $?; jq '.[] + 1' <<< '[1,\"a\",2]'; echo $?",
    'jq -c \'walk(if type == "number" then . + 1 else . end), (tojson|fromjson), [splits("x")?], ([.[]?|numbers])\' <<< \'{"a":[1,{"b":2}]}\'',
    "jq -c 'label $f | .[] | if . == 2 then break $f else . end' <<< '[1,2,3]'",
    'jq -c \'. as $d | [$d.list[] as $i | $d.map[$i]], ($d | .list |= map(ascii_upcase))\' <<< \'{"list":["x","y"],"map":{"y":2,"x":1}}\'',
    'jq -c \'.[] |= (.v * 2), map(.v |= . + 1), (map(.w = 1)), ([.[].v] | add)\' <<< \'[{"v":1},{"v":2}]\' ',
    'jq -c \'{a:1} * {a:{b:2}} + {c:3}, ({a:1} | .b.c = 2), ([1,2] - [2]), ("ab" * 2), ("a,b" / ","), ({} | .a += 1), ([] | .[2] = 1), (null | .a.b)\' <<< 1',
    'jq -c \'to_entries | map("\\(.key)=\\(.value)") | join("&")\' <<< \'{"z":1,"a":"q"}\'',
    'jq -c \'[.[] | {(.k): .v}] | add\' <<< \'[{"k":"z","v":1},{"k":"a","v":2}]\'',
    'jq -c \'map(has("a")), (map(.a // "none")), (.[0] | to_entries[] | [.key, .value])\' <<< \'[{"a":null,"c":1},{"b":2}]\'',
    'jq \'.version = "2.0" | .scripts.test = "x"\' <<< \'{"name":"p","version":"1","dependencies":{"z":"1","a":"2"}}\'',
    'jq -c \'[.[] | (.a, .b) ], [.[] | .a as $x | .b as $y | $x + $y], (map(.a) | @csv)\' <<< \'[{"a":1,"b":2}]\'',
    "jq -c '(.a | length) as $n | $n, -(.a | length), -1, (1 - -1), (.a|.[1:]|first)' <<< '{\"a\":[1,2,3]}'",
    'jq -c \'.a."b-c", ."x y", .["a"]["b-c"], .a?."b-c"?, ."a".d\' <<< \'{"a":{"b-c":1,"d":2},"x y":3}\'',
    'jq -c \'ltrimstr(1), (tojson), ([1,2] | contains([1])), ("foobar"|contains("bar")), ([[1,2],[3,4]]|transpose), ([1,2]|combinations? // "x"), ([[1,2],[3]]|[combinations])\' <<< \'"x"\'',
    'jq -c \'getpath(["a","b"]), setpath(["a","b"]; 1), delpaths([["x"]]), paths(type == "number"), (del(.x, .y)), ([.[]?]|length), del(.l[0,2]), del(.l[] | select(. > 1))\' <<< \'{"x":1,"y":2,"l":[1,2,3]}\'',
    "jq -c '.. |= (if type == \"number\" then . + 1 else . end)' <<< '[1,[2]]'",
    "jq -c 'todate, (todate|fromdate)' <<< 1700000000",
    "jq -c 'env | type' <<< 1; A=5 jq -n 'env.A, $ENV.A'; export B=6; jq -n -r '$ENV.B + env.B'",
    'x=\'{"b":1,"a":{"d":4,"c":5}}\'; echo "$x" | jq .a; echo "$x" | jq -c \'.a | keys\' > o; cat o; y=$(echo "$x" | jq -r .b); echo "$y"; if echo "$x" | jq -e .zz > /dev/null; then echo y; else echo n; fi',
    "jq -c '[.[]|round], [.[]|ceil], [.[]|fabs], (.[0]|. == 1.0), [.[] * 1.1]' <<< '[1.5,-2.5,3]'",
    'jq -c \'splits("a")\' <<< \'"bab"\'; jq -c \'[.[]|ascii_downcase|select(startswith("a"))]|length\' <<< \'["Ab","b"]\'; jq -c \'map(select(.tags | index("x")))\' <<< \'[{"tags":["x"]},{"tags":["y"]}]\'',
    "echo '{}' | jq; jq -n '10/2, 1e1000, (env.HOME|type)'; jq -c 'to_entries[].key, .[]' <<< '{\"b\":1,\"a\":2}'; find g -exec jq -R . {} \\;; jq -c . <<< '{\"b\":1,\"a\":2}' > o; cat o",
    `echo '"a"' | jq -j .; echo '"b"' | jq --join-output . | cat; echo '{"input":1}' > j; jq '.input, "the inputs"' j; jq -cj . j; jq .input j nope | cat`,
  ],
  'local outside a function': [
    'local x=1; echo $? "[$x]"; f() { local y=2; echo $y; }; f; local x || echo no; echo "local z=3; echo \\$z" > s; g() { . ./s; }; g',
  ],
  'the last line without a line break': [
    "printf 'one\\ntwo' > n; tac n; echo z; tac f n; echo z; tac n f; printf 'a\\nb' | tac; echo z",
    "printf 'one\\ntwo' > n; cat -n n f; cat -n n; echo z; head n; echo z; tail -n 1 n; echo z; cat n f",
  ],
  cat: [
    "printf 'a\\n\\n\\n\\nb\\tc\\n' > b; cat -b f b; cat -s b; cat -ns b; cat -bA b f; cat -ne f g; cat --number --show-tabs b; cat -n f - < g",
  ],
  'head and tail': [
    'head -v f; head -v -n1 f; head -qn1 f g; head -c 3 f; head -c3 f; tail -c 3 f; tail +2 f; tail --bytes=2 f; head --lines=2 f; head -v < f; tail -n +2 f g',
    'seq 9 | tail +8; seq 9 | head -c 4; head -n abc f; echo $?; tail -c +3 f; head -c -3 f',
  ],
  basename: [
    'basename /; basename //; basename a/b/; basename /a/b.c .c; basename .c .c; basename -a a/b c/d; basename -s .c a.c b.c; basename a b c; echo $?; x=/; basename "$x"; basename \'\'',
  ],
  wc: ['wc -l - < f; wc - < f; wc < f; wc -lc < f; cat f | wc; wc f - < g; wc -l < f; wc -w <<< "a b"'],
  'sort of options': [
    'sort -R f | wc -l; sort -R f | sort; sort -c f; echo $?; sort -c g; echo $?; sort --reverse f; sort -n --unique f; sort -u --key=1 f; sort -cu list; echo $?',
  ],
  'numbers of printf': [
    "printf '%d\\n' abc; echo $?; printf '%d\\n' 08 1.5 0x1f 010 \"'a\" '' ' 5' '5 ' +5; echo $?; printf '%i|%x|%o|%u\\n' abc 255 8 -1; echo $?",
    "printf '%120s|%-150d|%-*s|%.*s|\\n' x 7 -5 ab -1 abc; printf '%05s|%+s|%+x|%#d|%#x|%05x|%.120s\\n' a b 255 5 255 10 c",
    "x=abc; printf '%d\\n' $x; echo $?; x=042; printf '%s %d\\n' \"$x\" \"$x\" b 3; n=5; printf '%d\\n' $n $((n + 1)) $#; printf '%5d|%-5d|\\n' $n \"$n\"",
  ],
  'readonly variables': [
    'readonly R=5; echo $R; readonly S=$(echo a); echo "$R$S"; X=1; readonly X; echo $X; Y=2; readonly X Y; echo $Y',
    'f() { local -r x=5; local y=$x; echo $y; }; f; x=7; echo $x; g() { local R=1; echo $R; }; g; readonly Q=2; g',
  ],
  dirname: [
    "dirname a/b/; dirname a//b; dirname 'a b/c//'; dirname ///; dirname a/; dirname /a/; dirname a/b/c; dirname a; dirname /",
  ],
  'a program beside a function of its name': [
    'cat() { echo fn; }; /bin/cat g; cat g; command cat g; find g -exec cat {} \\;; echo g | xargs cat',
    'grep() { command grep -n "$@"; }; grep x g; echo x2 | grep x; /usr/bin/grep -c x g; ls() { command ls -1 "$@"; }; ls d',
  ],
  'the status before a command with a pattern': [
    "false; echo $? *; f() { return 3; }; f; rc=$?; echo $rc; x='*'; false; echo $? $x",
  ],
}

describe('prints and answers what bash does', () => {
  it.each(Object.entries(SAME))('%s', async (_, commands) => {
    expect(await unlikeBash(host, commands)).toEqual([])
  })
})

/** A command that is refused. Where `ran` is not empty, it has run until its text was known. */
const REFUSED: readonly (readonly [command: string, ran: string])[] = [
  ['a=1 b=$a printenv b', ''],
  ['env a=1 b=$a printenv b', ''],
  ['f() { :; }; a=1 b=${a} f', ''],
  ['echo $((${x:=5} + 1))', ''],
  ['echo $((16#$x))', ''],
  ["x=$(trap 'echo t' EXIT; exit 3)", ''],
  ["(trap 'echo t' EXIT; echo a)", ''],
  ['bash -c \'trap "echo t" EXIT; echo a\'', ''],
  ['rm() { :; }; /bin/rm f', ''],
  ['rm() { :; }; command rm f', ''],
  ['c="exit 4"; f() { eval "$c"; echo no; }; echo a; f; echo no', 'a\n'],
  ['c="return 4"; f() { eval "$c"; echo no; }; echo a; f; echo no', 'a\n'],
  ["y='\\x41'; x=-e; echo $x $y", ''],
  ['x=1 > o', ''],
  ['x=$(ls nope) 2> o', ''],
  ['readonly R=5; R=6; echo after', ''],
  ['R=5; readonly R; export R=6', ''],
  ['readonly R; for R in a b; do echo $R; done', ''],
  ['readonly R=5; ((R++)); echo $R', ''],
  ['f() { R=6; }; readonly R=5; f; echo after', ''],
  ['readonly R=5; unset R; read -r R <<< x', ''],
  ['f() { local -r x=5; x=6; echo $x; }; f', ''],
  ['for i in 1 2; do x=$i; readonly x; done', ''],
  ['echo() { :; }; echo a', ''],
  ['cd() { :; }; cd d', ''],
  ['cat() { :; }; x=$(< f); echo "$x"', ''],
  ['sed() { :; }; x=08; echo $((10#$x))', ''],
  ["bash -c 'echo $SHLVL'", ''],
  ["IFS='a-z' read -r x y <<< q", ''],
  ['IFS=:; set -- a b c; x="$*"; echo "$x"', ''],
  ['f() { :; }; type f', ''],
  ['[ -v "$x" ]', ''],
]

describe('is refused with status 2 and a line', () => {
  it.each(REFUSED)('%s', async (command, ran) => {
    const { exitCode, stdout, stderr } = await withFiles(host, command)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: ran })
    expect(stderr).toMatch(/^strands-shell: .+ is not available here: .+\n$/)
  })
})

it.each(['tostream', '. as [$a] ?// $a | $a', 'test("a++")', 'test("\\\\h")'])(
  'jq %s is refused with status 2',
  async (filter) => {
    const { exitCode, stderr } = await withFiles(host, `echo '"a"' | jq '${filter}'`)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^jq: .+ is not available here/)
  },
)

it.each([
  'BEGIN { print 1 | "sort" }',
  'BEGIN { "date" | getline x }',
  'BEGIN { system("ls") }',
  'BEGIN { PROCINFO["sorted_in"] = "@ind_str_asc" }',
  'BEGIN { print toupper("\u00e9") }',
  '{ print strftime("%F") }',
])('awk %s is refused with status 2', async (script) => {
  const { exitCode, stderr } = await withFiles(host, `awk '${script}' f`)
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(/^awk: .+ is not available here.*\n$/)
})

it.each(['w o', 'e', 'F'])('sed -n %s is refused with status 2', async (script) => {
  const { exitCode, stdout, stderr } = await withFiles(host, `sed -n '${script}' f g`)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toMatch(/^sed: .+ is not available here: use lua\n$/)
})

it('grep -H of the standard input is refused with status 2', async () => {
  const { exitCode, stdout } = await withFiles(host, 'grep -H a < f')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
})

it('a variable that an earlier command has made readonly is not changed: status 2', async () => {
  await using sandbox = await host.open()
  await sandbox.execute('readonly R=5; x=1')
  await using forked = await sandbox.fork()
  for (const one of [sandbox, forked]) {
    const { exitCode, stderr } = await one.execute('R=6; echo after')
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^strands-shell: a change of the readonly variable R is not available here: .+\n$/)
    expect(await one.execute('x=2; echo $R$x')).toMatchObject({ exitCode: 0, stdout: '52\n' })
  }
})

it.each([
  'echo a &&& echo b',
  'echo ${x',
  'echo "abc',
  'if true; then echo x',
  'echo a > o\ncat o\nif then fi',
  'echo one\necho two\necho "open',
  'cat <<E\nx\nE\nx=5\necho $x\n((',
])('%j is a syntax error: only the lines before it run', async (command) => {
  const { exitCode, stdout, stderr } = await withFiles(host, command)
  expect({ exitCode, stdout }).toEqual(inBash(command))
  expect(stderr).toMatch(/^strands-shell: syntax error: .+\n$/)
})

it('a text that may end before its syntax error does not run', async () => {
  const { exitCode, stdout } = await withFiles(host, 'echo a\nexit 3\nif then fi')
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
})

it('jq with options that read nothing runs', async () => {
  const script = [
    "jq -n '1+1'",
    'jq -rn \'"a"\'',
    "jq -n --arg x y '$x'",
    "jq --arg x y -r '$x' j",
    'jq .a < j',
    'jq .a j -r',
    'jq -n 1 nope; echo $?',
  ].join('; ')
  const { stdout } = await withFiles(host, `echo '{"a":1}' > j; ${script}`)
  expect(stdout).toBe('2\na\n"y"\ny\n1\n1\n1\n0\n')
})

it('jq of a file that is missing answers 2, and reads the others', async () => {
  const command =
    'echo \'{"a":1}\' > j; jq -c . nope j; echo $?; x=nope; jq .a $x > o 2> /dev/null; echo $? $(wc -c < o); jq .a j'
  expect(await withFiles(host, command)).toEqual({
    exitCode: 0,
    stdout: '{"a":1}\n2\n2 0\n1\n',
    stderr: 'jq: error: Could not open file nope: No such file or directory\n',
  })
})
