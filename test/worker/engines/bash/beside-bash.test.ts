import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sample } from '../../../support/tier.ts'
import { BASH, inBash, inEngine } from './support/beside-bash.ts'

/** Scripts that must give the stdout and the status that bash gives. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  'elements of arrays within words': [
    'a=(one "two words" three); for x in "pre-${a[@]:1}-post" ${a[@]#t} ${a[@]/o/0}; do echo "<$x>"; done',
    'a=(one "two words"); for x in "${a[@]^}" "p${a[@]^^}q" "${a[@],,}"; do echo "<$x>"; done',
    'set -- one "two words"; for x in "${@^}" "pre-${@:2}-post" "x${@/o/0}y"; do echo "<$x>"; done',
    'a=(x y z); IFS=,; echo "${a[*]^^}" "pre${a[*]:1}" ${a[*]/x/q}; v=${a[@]^}; echo "$v"',
    'a=(); for x in "${a[@]^}" "p${a[@]:1}q"; do echo "<$x>"; done; set -u; b=("${a[@]^^}"); echo ${#b[@]}',
    'a=(one two); [[ " ${a[@]^^} " == *" ONE "* ]] && echo has; cat <<E\n${a[@]^^}\n${a[@]:1}\nE',
  ],
  'patterns and odd names': [
    'mkdir d; cd d; touch x "*" "a\nb" "[a]" "q?"; for f in *; do printf "<%q>" "$f"; done; printf "<%q>" a?b a*b ?a? q* [[]*; cd ..; printf "<%q>" d/* d/a?*',
    'touch "$(printf "a\\nb")" "*"; for f in a?b a*b *; do printf "<%q>" "$f"; done; rm *; echo left *',
    'v=$(printf "a\\nb"); case $v in a?b) echo case;; esac; [[ $v == a*b ]] && echo equal; echo "${v#a?}" "${v%?b}" "${v/a*b/c}"',
  ],
  'patterns that are negated': [
    'shopt -s extglob\nmkdir d; cd d; touch keep.txt a.log c.test.ts c.ts "x y.md" .hid; mkdir e; touch e/1 e/2; echo !(*.log); echo !(keep*|*.log); echo !(*.test).ts; echo c!(x); echo !(keep*)/!(1); for f in !(*.md|e); do echo "$f"; done; rm -r !(keep.txt|*.md); ls',
    'shopt -s extglob\nf=a.b.test.ts; echo "${f%!(x)}" "${f#!(a)}" "${f##!(x)}" "${f%%.!(test)*}" "${f/!(a)/Z}" "${f//!(a|.)/Z}"; for x in $f a.js; do case $x in !(*.js)) echo other ;; *) echo js ;; esac; done; a=(apple bat cat); echo "${a[@]/#!(b)*/Q}" "${a[@]%%!(cat)}"',
    'shopt -s extglob\n[[ ab == !(a)* ]] && echo 1; [[ a == !(a)b ]] || echo 2; [[ ab == a!(c) ]] && echo 3; [[ x.test.foo.ts == !(*.test).ts ]] && echo 4; [[ a.js == !(*.js) ]] || echo 5; [[ !(1 == 2) ]] && echo 6',
    'if !(false); then echo 1; fi; !(true) || echo 2; true && !(false) && echo 3',
  ],
  'expressions that fail': [
    'echo $((1 / 0)); echo same line',
    'echo a\necho $((1/0)); echo b\necho c $?; x=5; a=(1 2)\necho $((2/0))\necho $x $? ${a[1]}',
    'f() {\necho $((1/0))\necho no\n}\nf\necho yes $?\n(\necho $((1/0))\necho no\n)\necho sub $?',
    'y=$(echo $((1/0)); echo no)\necho "<$y> $?"\necho $((1/0)) | cat; echo after\nexit 4',
    'set -e\necho $((1/0))\necho reached',
    'echo $((5 += 2)); echo no\necho on',
    'n=1; echo $((n - n += 2)); echo no\nk=$((n - n = 2)); echo no\n((n - n += 2)); echo $? $n',
    "trap 'echo bye $?' EXIT\necho $((3 % 0))\necho fine\nfalse",
    `n='a[$'; f() { (( n + 1 )); echo $?; }; f\necho $((a[$)); echo no\necho $? $(( $ )); echo no\nn=$; x=abc; echo \${x:n:1}; echo no\nn='2$'; echo $((n)); echo no\nlet n=$; echo $? $((1 || $)); echo no\na=(5); n='$ ]'; echo $((a[n])); echo no\necho end`,
  ],
  'braces with quotes in them': [
    `echo {a,"q,q"} {"a b",c} {a,b\\ c}x {\\,,a} {'x,y',z} {{a,b},c} {{a,"x y"},b} {-01..1} "\${x}"{1,2} {"a,b"} {{a,b}} {a,{b}}; for i in {1..3}{a,"b c"} x{,.bak} {} {,} {a} {1..} "{a,b}" \\{a,b\\} {a,b a{b}c; do printf '<%s>' "$i"; done`,
    `a=({x,"y z"}{1,2} {1..3} "k"{,v}); declare -p a; declare -a b=({1..3} p{a,{b,c}}q); declare -p b; mkdir d; touch d/a.c d/b.h d/e.c; echo d/*.{c,h} "d"/{a,b}.*; v='1 2'; printf '<%s>' {"$v",\${v}}; printf '<%s>' $'' b $"" ''`,
  ],
  'words that values with delimiters at their ends make': [
    `f() { echo "$#:$(printf '<%s>' "$@")"; }; x=' a '; f b$x; f $x$x; f "q"$x"r"; f ''$x; f $x''; f $x"" $u$x; IFS=,; y='a,b,,'; f $y \${y:-d} p$y $(echo "$y"); y=,,; f $y$y; f "a"$y"b"; IFS=', '; f $y; y=' a , b '; f $y p$y; f \${u:-"a b", c}`,
    'mkdir d; cd d; touch ba b; x=a; echo "*"$x *$x \\*$x; y="b*"; echo $y "$y"$x "x"$y; z="[b]"; echo $z "["b] [b"]"; shopt -s nullglob; echo "q*"$x no*$x; shopt -u nullglob; printf "<%s>" *" "* q*" z"?',
  ],
  'paths that are empty or lead through a file': [
    `[ -e "$u" ]; echo $?; [[ -d "" || -r "" || -w '' || -x "" || -s "" ]]; echo $?; test -d ''; echo $?; touch f; [ f -nt "" ] && [ "" -ot f ] && echo nt; [ f -ef "" ] || echo no; ls "" 2>/dev/null; echo $?; stat "" 2>/dev/null; echo $?; mkdir "" 2>/dev/null; echo $?; rm -rf ""; cp f "" 2>/dev/null; echo $?; mv f "" 2>/dev/null; echo $?; find "" 2>/dev/null; echo $?; : > "" 2>/dev/null; echo $?; cd ""; ls`,
    'echo a > f; (echo b > f/g) 2>/dev/null; echo $?; mkdir f/h 2>/dev/null; echo $?; mkdir -p f/i/j 2>/dev/null; echo $?; touch f/k 2>/dev/null; echo $?; cp f f/l 2>/dev/null; echo $?; ls f f/* 2>/dev/null; cat f',
  ],
  'patterns that are quoted in part': [
    `case 'a\\b' in *\\\\*) echo 1 ;; esac; case '*' in *\\\\*) echo no ;; *) echo 2 ;; esac; [[ 'a\\b' == *\\\\* ]] && echo 3; case '[x]' in \\[x\\]) echo 4 ;; esac; case a* in a\\*) echo 5 ;; esac; case ab in "a*") echo no ;; 'a'*) echo 6 ;; esac; x='a*'; case abc in "$x"?) echo no ;; $x) echo 7 ;; esac; case 'a b' in a\\ b) echo 8 ;; esac`,
    `x="a&b"; echo \${x//&/and} "\${x//&/\\&amp;}" "\${x//&/&amp;}" \${x/b/[&]}; p=/usr/bin; echo "\${p//\\//\\\\/}" "\${p//\\//&&}"; r='x&y'; echo "\${p/usr/$r}" "\${p/usr/"$r"}" "\${p/usr/'&'}"; a=(ab cb); echo "\${a[@]/b/<&>}" \${a[*]//[ac]/&&}; set -- q w; echo "\${@/#/-&}" "\${@/%/&.}"; x=aAbB; echo "\${x,A}" "\${x^[b]}" "\${x^^[ab]}"; x="it's"; echo \${x@Q}`,
  ],
  'numbers that doubles cannot hold': [
    'a=0 b=1; for ((i = 0; i < 90; i++)); do ((c = a + b)); a=$b; b=$c; done; echo $a $((a + b)) $((a - 1)) $((-a)) $((b - a)); ((a++)); ((a += 2)); echo $a; ((a > b)) || echo less; ((a == a + 1)) || echo other; s=4611686018427387904; ((s += s)); echo $s; let z=a+b; declare -i n=a+b; n+=1; echo $z $n',
    'b=9007199254740993; ((b++)); [[ $b -eq 9007199254740993 ]] || [ $b -eq 9007199254740993 ] || ((b == 9007199254740993)) || echo "$b"; let "x = 1 << 33" "y = x * 3"; echo $x $y; x=010; echo $((x + 1)); ((x += 1)); echo $x; x=0x1f; ((x++)); echo $x',
    'a=(); ((a[0] = 1 << 40)); ((a[0] *= 3000000019)); echo ${a[0]}; ((a[1] = a[0] % 1000000007)); declare -A m; ((m[k] = 2 ** 40)); ((m[x] |= 4)); let "a[2]=1<<33" "a[2]*=7"; a[3]=$((a[0] * 2)); ((a[0] ^= 5)); echo "${a[*]} ${m[k]} ${m[x]}"; ((a[1] /= 0)); echo "$? ${a[1]}"; d=(4 5 6); echo $((--d[1] | 0)) $((++d[2] * 2)); i=2; echo $((i-- ? d[i] * 2 : 0))',
    'echo $((((1) + (2)))) $(((1 + 2) * (3))) $(( (1) + ((2) * (3)) )) "$(( (1) ? ((2)) : 3 ))" $((((100) / (7)))); x=$(( $(echo 3) * (2) )); echo $x $(( $((1 + 1)) + $(echo $((2))) )); [[ "a b" -lt 2 ]]; echo $?; y=08; [[ $y -gt 2 ]]; echo $?',
  ],
  'local variables over arrays, quotes in =~, and tests of links': [
    `a=(1 x); g() { local a=2; h; echo $a \${a[@]} \${#a[@]}; }; h() { a=3; }; g; echo \${a[@]}; declare -A m=([k]=v); f() { local m=5; m+=6; echo $m; k; }; k() { declare m; m=7; echo $m; }; f; declare -p m; w() { local a; a[2]=q; declare -p a; }; w; declare -p a; r() { local a=("$@"); local a2=$a; echo \${a[@]} $a2; }; r p q; echo \${a[@]}; rec() { local n=$1; ((n > 0)) && rec $((n-1)); echo $n; }; n=(7 8); rec 2; echo \${n[@]}`,
    `[[ axb =~ a"."b ]] || echo nolit; p=1.2; [[ v1.2-rc =~ ^v"$p"-([a-z]+)$ ]] && echo \${BASH_REMATCH[1]}; [[ v1x2-rc =~ ^v"$p"- ]] || echo no; [[ 'a(b' =~ 'a('b ]] && echo y; [[ 'x*y' =~ x'*'y$ ]] && echo z; [[ "a b" =~ a\\ b ]] && echo sp; [[ "a  b" =~ "a "+b ]] && echo plus; re='(b+)'; [[ abbc =~ a$re"c" ]] && echo \${BASH_REMATCH[1]}; [[ 'k="v"' =~ ^k=\\"(.*)\\"$ ]] && echo \${BASH_REMATCH[1]}; [[ "[x]" =~ ^"["(.*)"]"$ ]] && echo \${BASH_REMATCH[1]}; [[ foo.txt =~ \\.(txt|md)$ ]] && echo ext`,
    `mkdir d; [ -s d ] && echo 1; [[ -s d && ! -s none ]] && echo 2; test ! -s none && echo 3; find . -name d -exec test -s {} \\; -print; touch f; ln -s f l; ln -s nope b; ln -s d dl; find . -xtype l; find . -xtype f | sort; find . -xtype d | sort; find . -type l -xtype d; find . -readable | sort; chmod 755 f; find . -type f -executable; find . -type l -executable | sort`,
  ],
  'expressions that fail behind a name, in an index and in a loop': [
    `n='1 || $'; echo $((n)); echo no`,
    `declare -i k; k='1 || $'; echo no`,
    'n=$; declare -i m=n; echo no',
    `a=(x y z); n='1 || $'; echo "\${a[n]}"; echo no\ni=0; echo "\${a[1/i]}"; echo no`,
    'a=(x y z); echo "${#a[1/0]}"; echo no\necho on',
    'for ((i = 0; i < $; i++)); do echo $i; done; echo $?; for ((i = 0; i < 1; i += $)); do echo $i; done; echo $?; for ((i = 0; i < 2; i++)); do echo $((1 / 0)); done; echo no\necho on',
    'declare -i z=5+3; z+=2; echo $z; declare -i y; y=z*2; echo $y; y=abc; echo $y; declare -A m; m[a b]=1; echo "${m[a b]}"; a=(1 2); echo "${a[ 1 ]}" "${a[0+1]}" ${a[${#a[@]}-1]} $(( ))',
  ],
  'names that set -u refuses': [
    '(set -u; echo "$1"; echo no); echo $?; (set -u; f() { echo "$1"; echo no; }; f; echo no); echo $?; (set -u; { echo $nope; }; echo no); echo $?',
    '(set -u; if true; then echo $nope; fi; echo no); echo $?; (set -u; for i in 1 2; do echo $nope; done; echo no); echo $?; (set -u; while true; do echo $nope; done; echo no); echo $?; (set -u; case a in a) echo $nope ;; esac; echo no); echo $?',
    '(set -u; f() { local x=$1; echo no; }; f || echo no; echo no); echo $?; (set -u; g() { f; echo no; }; f() { return $1; }; g; echo no); echo $?; (set -u; f() { echo $((1 + $1)); }; f; echo no); echo $?; (set -u; f() { y=$1 true; }; f; echo no); echo $?',
    "(set -u; eval 'echo $nope'; echo no); echo $?; echo 'echo $nope; echo no' > s; (set -u; . ./s; echo no); echo $?; (set -u; { true && { echo $nope; }; } || echo no; echo no); echo $?",
    '(set -u; [[ $nope ]] && echo no; echo no); echo $?; (set -u; (( nope > 1 )); echo no); echo $?; (set -u; let y=nope+1; echo no); echo $?; (set -u; for ((i = nope; i < 3; i++)); do echo no; done; echo no); echo $?; ([[ ${x?gone} ]]; echo no); echo $?',
    '(set -u; trap \'echo bye\' EXIT; f() { echo $1; }; f; echo no); echo $?; set -u; x=$(f() { echo $1; }; f; echo no); echo "$? <$x>"; echo a | while read -r l; do echo $nope; done; echo on; (set +u; echo "[$nope]"); { echo $nope; } | cat; echo ${nope:-none} ${nope+set}',
  ],
  'set -e behind && and !': [
    '(set -e; f() { [ 1 = 2 ] && echo; }; f; echo no); echo $?; (set -e; g() { f; }; f() { false && true; }; g; echo no); echo $?; (set -e; f() { if true; then false && true; fi; }; f; echo no); echo $?; (set -e; f() { ! true; }; f; echo no); echo $?; (set -e; f() { false && true; }; x=1 f; echo no); echo $?',
    '(set -e; f() { for i in 1 2; do [ $i = 1 ] && echo one; done; }; f; echo no); echo $?; (set -e; f() { while read -r l; do [ $l = z ] && echo; done <<< a; }; f; echo no); echo $?; (set -e; f() { case a in a) false && true ;; esac; }; f; echo no); echo $?; (set -e; echo a | while read -r l; do false && true; done; echo no); echo $?',
    "(set -e; x=$(false && true); echo no); echo $?; (set -e; eval 'false && true'; echo no); echo $?; echo 'false && true' > s; (set -e; . ./s; echo no); echo $?; (set -e; (false && true); echo no); echo $?; (set -e; false && true | cat; trap 'echo bye' EXIT; f() { false && true; }; true && f; echo no); echo $?",
    'set -e; { false && true; }; if true; then false && true; fi; for i in 1; do false && true; done; while read -r l; do false && true; done <<< a; until [ "$n" ]; do n=1; false && true; done; case a in a) false && true ;; esac; for ((i = 0; i < 1; i++)); do false && true; done; ! true; { ! true; }; echo on',
    'set -e; f() { false && true; }; f && true; f || true; true || f; if f; then :; fi; while f; do :; done; ! f; f | cat; f() { false && true; true; }; f; g() { [ "$1" ] || return 0; [ "$1" = a ] && return 0; echo last; }; g; g a; g b; while true; do false || break; done; echo on',
  ],
  'the status of assignments': [
    'set -e; f() { return 3; }; f || rc=$?; echo "$rc"; f || { rc=$?; echo "g $rc"; }; if ! f; then rc=$?; echo "if $rc"; fi; v=; [ -n "$v" ] || x=${v:-$(echo d)}; [ -n "$v" ] || x=${x:-$(false)}; echo $x; r=0; f || r=$(( $? + 1 )); echo $r; false || a[1]=$?; i=2; false || a[$i]=$?; echo ${a[*]}; false || b=($?); echo $b; false || x=$((RANDOM * 0)); echo $x; false || x=$((2**62 + $?)); echo $x',
    'set -e; cleanup() { rc=$?; echo "cleanup $rc"; }; trap cleanup EXIT; trap \'e=$?; echo "err $e"\' ERR; ls none',
    'false; x=1; echo $?; false; x=$(true); echo $?; x=$(exit 5); echo $?; x=$(exit 5)$(true) y=2; echo $?; false; x=`exit 6`; echo $?; false; x=$? y=$?; echo $x $y $?; export z=$?; echo $?; false; A=1 B=$(exit 9) true; echo $?; false; > f1; echo $?; false; x=2 > f2; echo $?; n=5; false; n+=1; echo $?',
  ],
  'name references': [
    'f() { local -n arr=$1; arr+=(1); }; x=(0); f x; arr=file; echo "$arr"; file=zz; echo $arr; declare -p arr; g() { local -n r=$1; h; echo "in ${r[@]}"; }; h() { local r=5; r=6; echo "h $r"; }; y=(a b); g y; echo ${y[@]}; k() { local -n r=$1; (r+=(sub)); z=$(r+=(q); echo ${#r[@]}); echo $z ${#r[@]}; echo p | while read l; do r+=($l); done; echo ${#r[@]}; while read l; do r+=($l); done <<< w; echo ${r[@]}; }; k y',
    'm() { local -n out=$1; shift; out=("$@"); }; m res a "b c"; printf \'<%s>\' "${res[@]}"; echo; m res; echo ${#res[@]}; swap() { local -n a=$1 b=$2; local t=$a; a=$b; b=$t; }; p=1; q=2; swap p q; echo $p $q; declare -A conf=([x]=1); upd() { local -n c=$1; c[$2]=$3; unset \'c[x]\'; [[ -v c[x] ]] || echo gone; local k; for k in "${!c[@]}"; do echo "$k=${c[$k]}"; done; }; upd conf n 5; echo "${#conf[@]}"',
    'cnt() { local -n n=$1; ((n++)); ((n+=5)); let n*=2; n=$((n-1)); }; v=1; cnt v; echo $v; e() { local -n el=$1; el=new; echo $el; }; arr2=(a b); e \'arr2[1]\'; echo ${arr2[@]}; join() { local -n _a=$1; local IFS=,; REPLY="${_a[*]}"; }; L=(1 2 3); join L; echo $REPLY; has() { local -n h=$1; [[ " ${h[*]} " == *" $2 "* ]]; }; has L 2 && echo yes; rev() { local -n i=$1 o=$2; local n; o=(); for ((n=${#i[@]}-1; n>=0; n--)); do o+=("${i[n]}"); done; }; rev L M; echo ${M[@]}',
    'L=(1 2 3); declare -n g1=L; echo ${#g1[@]} ${g1[-1]}; unset g1; echo "${L[@]:-empty}"; unset -n g1; g1=x; echo $g1; r() { local -n d=$1; d=$2; export $1; }; r EXP val; bash -c \'echo $EXP\'; read_into() { local -n o=$1; IFS= read -r o; }; read_into line <<< " a b "; echo "[$line]"; s() { local -n o=$1; printf -v o \'%03d\' 7; }; s pf; echo $pf; mf() { local -n o=$1; readarray -t o; }; mf ml < <(printf \'l1\\nl2\\n\'); echo ${#ml[@]}; w() { declare -n z=$1; z[2]=c; z=first; echo "${z[0]}"; }; ar=(q r); w ar; echo ${ar[@]}; sorted() { local -n s=$1; mapfile -t s < <(printf \'%s\\n\' "${s[@]}" | sort -r); }; sorted ar; echo ${ar[@]}',
    'a=(1 2); f() { local -n r=$1; r=(x y z); r[0]=q; r[5]=w; echo "${#r[@]} ${r[1]} ${r[@]:1} ${!r[@]} ${r[-1]} ${!r}"; unset "r[1]"; r+=(z "${r[@]}"); }; f a; echo "${a[@]}"; declare -A m; g() { local -n r=$1; r[k]=v; r+=([z]=1); for k in "${!r[@]}"; do echo "$k ${r[$k]}"; done | sort; [[ -v r[k] ]] && echo has; }; g m; echo ${#m[@]}; h() { local -n l=$1; l=([3]=x [1]=y); }; h q; declare -p q; push() { local -n s=$1; s+=("$2"); }; pop() { local -n s=$1; local -n o=$2; o=${s[-1]}; unset "s[-1]"; }; st=(); push st a; push st b; pop st v; echo $v ${st[@]} ${#st[@]}; p() { local -n a=$1; i a; }; i() { local -n b=$1; b+=(1); }; p st; echo ${st[@]}; d() { local -n arr=$1; local i; for ((i=0; i<${#arr[@]}; i++)); do arr[i]=$(( arr[i] * 2 )); done; }; nums=(1 2 3); d nums; echo ${nums[@]}',
  ],
  'names of scripts in BASH_SOURCE and FUNCNAME': [
    `mkdir -p pkg/bin; cat > pkg/bin/tool <<'T'
#!/usr/bin/env bash
echo "src=\${BASH_SOURCE[0]} all=\${BASH_SOURCE} n=\${#BASH_SOURCE[@]}"
here="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"; echo "\${here##*/}"
x=$(echo "\${BASH_SOURCE[0]}"); echo "sub $x"; y=$(dirname "\${BASH_SOURCE[0]}"); echo "y $y"
f() { echo "f \${BASH_SOURCE[0]} \${BASH_SOURCE[1]} $(basename "\${BASH_SOURCE[0]}")"; }; f
T
chmod +x pkg/bin/tool; pkg/bin/tool; bash pkg/bin/tool; cd pkg; ./bin/tool; . bin/tool; source ./bin/tool`,
    `cat > m.sh <<'T'
#!/bin/bash
helper() { echo "helper \${FUNCNAME[0]} \${FUNCNAME[1]} \${FUNCNAME[*]} \${#FUNCNAME[@]}"; }
main() { helper; echo "main $# $1"; }
if [[ "\${BASH_SOURCE[0]}" == "\${0}" ]]; then main "$@"; fi
T
chmod +x m.sh; ./m.sh a b; bash m.sh c; source m.sh; echo "sourced"; main x; bash -c '. ./m.sh; helper'
cat > lib.sh <<'T'
[[ -n \${LIB_LOADED:-} ]] && return 0; LIB_LOADED=1
LIB_DIR="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"; lib_dir() { echo "\${LIB_DIR##*/} \${BASH_SOURCE[0]##*/}"; }
(return 0 2>/dev/null) && echo "is sourced"
T
mkdir -p a/b; cp lib.sh a/b/; cat > a/run.sh <<'T'
set -euo pipefail
D=$(dirname "$(readlink -f "$0")"); . "$D/b/lib.sh"; source "$D/b/lib.sh"; lib_dir; echo "\${D##*/}"
die() { echo "\${BASH_SOURCE[1]##*/}:\${BASH_LINENO[0]}: \${FUNCNAME[1]}: $*"; exit 3; }
work() { die "bad"; }
work
T
bash a/run.sh; echo $?; cat > s.sh <<'T'
[ "$0" = "\${BASH_SOURCE}" ] && echo direct || echo "via \${BASH_SOURCE##*/}"
T
bash s.sh; . ./s.sh | head -1; (cd a; bash ../s.sh | head -1); bash < s.sh | head -1; g() { echo "<\${BASH_SOURCE[0]}>"; }`,
  ],
  'elements of arrays that builtins set and ask for': [
    `read -r a[1] <<< "v"; echo "\${a[1]}"; read -ra b <<< "1 2"; i=0; while read -r "c[i]"; do ((i++)); done <<< $'x\\ny'; echo "\${c[@]}"; declare -A m; k=q; read -r "m[$k]" <<< w; echo \${m[q]}; read x "y[2]" <<< "1 2 3"; echo "$x \${y[2]}"; mapfile -t -O 2 z <<< r; echo \${!z[@]}; IFS=, read -r -a w <<< "a,b,,c"; echo \${#w[@]}; read -r "bad-name" <<< q; echo $?; getopts ab o -a -b; echo $o; getopts ab "arr[1]" -a; unset 'm[q]'; echo \${#m[@]}; printf -v 'pa[3]' %s v; echo \${pa[3]}; [[ -v 'pa[3]' ]] && echo set; test -v pa && echo t; test -v 'pa[3]' && echo u; [ -v a[1] ] && echo w`,
  ],
  'expansions within expressions, and signs in patterns': [
    `n=007; echo $((10#$n)) $((10#\${n}+1)) $((16#$n * 2)); m=09; x=$((10#$m + 1)); echo $x; ((y=10#$m)); echo $y; h=ff; echo $((0x$h)) $((16#$h)); a=1 b=2; echo $(($a$b * 2)); n=-3; echo $((5-$n)) $((5*$n)) $((5 - -$n)) $((5--3)) $((5 - - 3)) $((- -5)) $((5+ +3)) $((5++3)); e="1+2"; echo $(($e*2)) $((e*2)) $((\${e}*2)); i=5; echo $((i--*2)) $((--i*2)) $i $((i++ + ++i)) $((-i * -1)) $((i-- - --i)); arr=(3 "1+1"); echo $((arr[1]*2)) $((\${arr[1]}*2)); u=; echo $((u*2)) $((3*(u+1))); k=arr; v=x; x=4; echo $((v*2)) $((\${v}*2)); d=$(echo 010); echo $((10#$d*1)) $((d*1)); date=2024-03-09; mm=\${date:5:2}; dd=\${date:8:2}; echo $((10#$mm)) $((10#$dd + 1)) $((10#\${date:5:2} * 31 + 10#\${date#*-*-})); s="1 2"; echo $((\${s/ /+}*2)); echo $((2**$((1+2)))) $(( $(echo 5) % 3 )) $((x>3?$n:$x/0)); echo $(( "2" * 3 ))`,
    `u="a%20b%%c"; echo "\${u//%/\\\\x}" "\${u//%/}" "\${u/%c/Z}" "\${u/%/END}" "\${u//%2/Q}" "\${u//#/x}" "\${u//\\%/P}" "\${u/#a/A}" "\${u/#/PRE}" "\${u//#a/x}"; v='#a#b'; echo "\${v//#/-}" "\${v/#a/-}" "\${v//#a/X}" "\${v/\\#/Y}" "\${v//[#]/Z}"; p=%; echo "\${u//$p/+}" "\${u//"$p"/+}" "\${u//%}"; a=('x%y' 'z%'); echo "\${a[@]//%/_}" "\${a[@]/%/!}" "\${a[@]/#/^}"`,
  ],
  'shift without words, and times of ls': [
    `set --; shift; echo $?; shift 2>&1 || true; set -- a b; shift 3; echo $? $#; shift -1 2>/dev/null; echo $?
mkdir d z; touch -d '2024-01-02 03:04:05' a m; ln -s a l; ls --group-directories-first; ls -r --group-directories-first; ls -l --time-style=+%Y a | cut -d' ' -f6-; ls -l --time-style=long-iso a | cut -d' ' -f6-; TZ=UTC ls --full-time m | cut -d' ' -f6-8 | cut -c1-24; ls -l --time-style=iso a | cut -d' ' -f6-; ls -l a | cut -d' ' -f6-; ls --time-style=+%s a; ls -l --time-style='+%F %T' a m | awk '{print $6,$7,$8}'; ls -lt --time-style=+ a | cut -d' ' -f6-; ls --color=auto a; ls -1 --color=never`,
  ],
  'parameters with operators in expressions, indexes and loops': [
    `x=07; echo $((\${x#0})) $((\${x#0}+1)) $((10#$x+\${x#0})); ((y=\${x#0}+1)); echo $y; ((\${x#0}>6)) && echo gt; for ((i=\${x#0}; i<\${x#0}+2; i++)); do echo $i; done; for v in 08 09; do echo $((\${v#0}+1)); done; s=abcdefghij; echo \${s:\${x#0}} \${s:0:\${x:1:1}}; a=(p q r); z=02; echo \${a[\${z#0}]}; a[\${x#0}]=v; echo \${!a[@]}; c=1,234; echo $((\${c//,/}+1)) $((\${c:0:1}+1)); t=01:02; echo $((\${t%:*}*60+\${t#*:}))`,
    'x=02; n=08; a=(p q r s); s=abcdef; echo ${a[10#$x]} ${a[10#02]} ${a[$((10#$x))]} ${s:10#$x} ${s:$((10#$x)):1}; for ((i=10#$n;i<10#${n}+2;i++)); do echo $i; done; m=007; for ((i=10#${m#0}; i<8; i++)); do echo $i; done; ((a[10#$x]=5)); echo "${a[@]}"; echo ${a[16#1]} ${a[2#1$(echo 0)]}',
    'set -- a b c; echo $((${#@}+1)) $((${#*}*2)); ((${#@}>3)) || echo few; for ((i=1;i<=${#@};i++)); do echo ${!i}; done; echo ${@:${#@}} "${@:${#@}-1:1}"',
  ],
  'keys that expressions change': [
    `declare -A g; x=1 y=2; ((g[$x,$y]++)); g[$x,$y]=$((g[$x,$y]+5)); ((g[$x:$y]+=2)); ((g["$x $y"]+=4)); ((g[$x,$y]>5)) && echo big; k=a-b; ((g[\${k//-/_}]++)); ((g[$k]+=5)); g[$k]=$((g[$k]+1)); for k in "\${!g[@]}"; do echo "$k=\${g[$k]}"; done; declare -A c; while read -r l; do c[$l]=$((c[$l]+1)); done <<< $'x y\\na-b\\nx y\\na.b/c'; for k in "\${!c[@]}"; do echo "$k=\${c[$k]}"; done; a=(5 6 7); i=1; ((a[$i+$i]++)); ((a[$i-1]+=10)); d=20-1; ((a[\${d//-/}]++)); echo "\${a[@]}" "\${!a[@]}"`,
  ],
  'the order of keys': [
    'declare -A m=([x]=1 [y]=2 [apple]=3); m[é]=4; m["a b"]=5; unset "m[x]"; m[x]=6; echo "${!m[@]}: ${m[*]}"; unset "m[é]"; declare -p m; f() { local -n r=$1; for k in "${!r[@]}"; do echo "$k ${r[$k]}"; done; }; f m; m=([ace]=1 [bba]=2); echo "${!m[@]}"; for i in {1..2100}; do m[k$i]=; done; printf "%s\n" "${!m[@]}" | cksum',
  ],
  'options of mapfile, and what time tells': [
    'mapfile -tn2 a <<< $\'1\n2\n3\'; echo ${#a[@]} "<${a[1]}>"; mapfile -ts 1 -- b <<< $\'x\ny\'; echo "${b[@]}"; mapfile -td, c <<< "p,q"; echo "<${c[0]}>"; { time :; } 2>&1 | grep -c real; { time :; } 2>o; grep -c user o; TIMEFORMAT=%0R; { time :; } 2>&1; TIMEFORMAT="r %2R %lU %%"; { time :; } 2>&1 | sed "s/[0-9]/N/g"; TIMEFORMAT=; { time echo q; } 2>&1',
  ],
  'local variables with attributes, and keys from parameters': [
    `f() { local -A c; c[x]=1; c[y]=2; echo \${#c[@]} \${c[x]}; local -A d=([k]="v w" [z]=q); echo "\${d[k]}" \${!d[@]} | wc -w; local -i n=5; n+=3; echo $n; local -u up=abc; echo $up; local -l low=ABC; echo $low; local -a arr=(1 2); arr+=(3); echo \${arr[@]}; local -x EX=val; bash -c 'echo $EX'; local -r RO=5; echo $RO; local -ir ri=2+3; echo $ri; local -rA ra=([a]=b); echo \${ra[a]}; }; f; f; echo "\${#c[@]} [$n] [$up] [$EX] [$RO] \${d[k]:-none}"`,
    `declare -A c=([g]=global); h() { local -A c; c[l]=local; echo "\${!c[@]}"; k; }; k() { echo "k \${c[l]}"; c[m]=set; echo \${#c[@]}; }; h; echo "\${!c[@]} \${c[g]}"; memo() { local -A m; local i; m[0]=0; m[1]=1; for ((i=2;i<=$1;i++)); do m[$i]=$((m[$((i-1))]+m[$((i-2))])); done; echo \${m[$1]}; }; memo 30; memo 10; count() { local -A n=(); local w; for w in "$@"; do ((n[$w]++)); done; for w in $(printf '%s\\n' "\${!n[@]}" | sort); do echo "$w=\${n[$w]}"; done; }; count a b a; count x; rec() { local -i d=$1; (( d == 0 )) && return; local -A s=([v]=$d); rec $((d-1)); echo "\${s[v]}"; }; rec 3; o() { local -A t; [[ -v t[q] ]] || echo unset; t[q]=1; [[ -v t[q] ]] && echo set; unset 't[q]'; echo \${#t[@]}; local k=v -A u=([p]=r); echo "$k \${u[p]}"; }; o; q() { typeset -A tt; tt[a]=1; typeset -i ti; ti=2*3; echo \${tt[a]} $ti; }; q; echo \${#tt[@]} [$ti]`,
    `fi1() { local -i n=5; local -u w=x; declare -i k=2*3; echo $n $w $k; }; fi1; n=abc; w=low; k=xyz; echo $n $w $k; declare -A g=([a]=1); arr=(9 8); sh1() { local -A g; echo "\${#g[@]}"; g[z]=1; local -a arr; echo "\${#arr[@]}"; arr+=(7); declare -A g2; g2[q]=1; local -A arr2; echo \${#arr2[@]}; }; arr2=(1 2); sh1; echo "\${!g[@]} \${arr[@]} \${arr2[@]} \${#g2[@]}"; declare -n gr=arr; echo \${gr[0]}; get() { echo "\${g[$1]:-none}" "\${g["$1"]}" \${#g[$1]}; }; get a; get b; set -- a b; g[$2]=two; echo \${g[b]} \${g[$#]:-n} \${g[\${2}]} "\${g[\${1%x}]}"; [[ -n \${g[$2]} ]] && echo has; unset "g[$1]"; echo \${!g[@]}; i=0; h=(x y); echo \${h[$i]} \${h[$((i+1))]} \${h[$#-1]}`,
  ],
  'indexes with expressions in expressions': [
    `declare -A c; c[1]=5; echo $((c[$((2-1))]*1)); c[2]=$((c[$((1))]+c[$((3-2))])); echo \${c[2]}; a=(4 5 6); i=2; echo $((a[$((i-1))]*1)) $((a[$((i-1))]+a[$((i-2))]*2)) $((\${a[$((i-1))]}*2)); (( t = a[$((i-1))] * 2 )); echo $t; if (( a[$((i-2))] % 2 == 0 )); then echo even; fi; for ((j=0; j<2; j++)); do (( s += a[$((j+1))] * 2 )); done; echo $s; while (( a[$((i-2))] / 2 > 1 )); do a[0]=2; done; echo \${a[@]}; memo() { local -A c; c[0]=0; c[1]=1; local i; for ((i=2;i<=$1;i++)); do c[$i]=$((c[$((i-1))]+c[$((i-2))])); done; echo \${c[$1]}; }; memo 30; m=(1 2 3 4); n=2; for ((r=0;r<n;r++)); do for ((k=0;k<n;k++)); do printf '%d ' $(( m[$((r*n+k))] * m[$((k*n+r))] )); done; done; echo; x=$(( a[$(( a[$((0))] - 1 ))] * 2 )); echo $x; (( a[$((i-1))]++ )); (( a[$((i-1))] += 3 )); echo \${a[1]}; echo $(( $((1+2)) * $(( $((3)) * 2 )) )) $((2 * \${#a[@]} + \${a[$((i))]}))`,
    `bin() { local n=$1 o=; while ((n)); do o=$((n&1))$o; ((n>>=1)); done; echo \${o:-0}; }; bin 37; n=5; ((n>>=1)); ((n<<=3)); ((n >>= 1)); echo $n $((n>>=1)) $((n >> 1)) $((n<<2)); ((n>=1)) && echo ge; ((n>1)) && echo gt; ((n=n>>1)); echo $n`,
  ],
  'brackets with expansions in patterns': [
    `c=a; s=banana; echo "\${s//[^$c]}" "\${s//[$c]/X}" "\${s%%[$c]*}" "\${s##*[$c]}" "\${s#[$c]}" "\${s//[!$c]/-}"; [[ $s == [$c]* ]] || echo n; [[ $s == [b$c]* ]] && echo y; case $s in [$c]*) echo no;; [b$c]*) echo yes;; esac; r=a-c; echo "\${s//[$r]/_}"; [[ a == ["$c"] ]] && echo q; v='[:digit:]'; t=a1b2; echo "\${t//[$v]/#}" "\${t//[^[:alpha:]$c]/+}"; touch fa fb fc; echo f[$c] f[!$c] f["$c"b]; ls f[\${c}b]; x="a.b"; echo "\${x//[$IFS.]/}"; d=,; l="a,b;c"; echo "\${l//[$d;]/ }"`,
  ],
  'texts set in arrays, and quoted keys': [
    `w=(a b); w=hey; echo $w \${w:0:2} \${#w} \${w[1]} "\${w[@]}"; for ((i=0;i<3;i++)); do echo -n "\${w:i:1}"; done; echo; w=(x y); w+=z; echo \${w[@]} $w; read w <<< "new val"; echo "$w" "\${w[@]}"; v=(1 2); v=$((v+5)); echo \${v[@]}; ((v+=1)); echo \${v[@]}; printf -v v %s p; echo \${v[@]}; for v in q; do :; done; echo \${v[@]}; echo \${v%q}x \${v/q/r} \${v:-d} \${v^}`,
    `declare -A h=(["k 2"]=v [z]=1); unset h["k 2"]; echo \${#h[@]}; printf '<%s>' h["k 2"] a["x y"]b "p"["q r"]; echo; echo x["a  b"]; unset 'h[z]'; echo \${#h[@]}; a=(1 2 3); unset a[1]; echo \${!a[@]}; i=2; unset a[$i] ; echo \${!a[@]}; unset "a[0]"; echo \${#a[@]}`,
  ],
  'words of date': [
    `export TZ=UTC; for d in '2024-02-29 12:00 +1 day' '2024-03-15 10:00:00.5 -3 sec' '12:00 2024-03-15 -90 minutes' '2024-01-15 10:00 + 90 minutes' '@0 tomorrow' '@86400' '@1.5' '2024-03-15 10:30 PM 2 days' '2024-03-15 10:30 EST +1 day' '15 Mar 2024 next monday' 'Fri, 15 Mar 2024 10:00:00 +0100' '2024-01-31 +1 month' '2024-02-29 1 year ago' '2024-13-01' '20240315 10' '2024-03-15T10:30:00+02:00 +1 day' '3/5/24 noon' 'Fri Mar 15 10:00:00 UTC 2024' '2024-03-15 UTC+3'; do date -d "$d" '+%F %T.%3N %Z' 2> /dev/null; echo $?; done`,
    `for TZ in America/New_York Europe/Berlin Asia/Tokyo Asia/Kolkata America/Sao_Paulo; do export TZ; for d in '2024-03-15 10:30' '2024-07-01 00:30 +1 day' '@1700000000' '2024-03-10 02:30 UTC' '2024-01-15 12:00 EST'; do date -d "$d" '+%F %T %Z %z %s'; done; done; for d in monday 'next friday' 'last sunday' '3 weeks ago' ''; do date -d "$d" +%F; done; date -d 2024-05-05 +%q%N; touch -d '2024-01-15 12:00' f; date -r f +%s`,
  ],
  'flags, widths and zones of date': [
    "date -u -d '2024-01-02 03:04:05' --rfc-3339=seconds; date -u -d 2024-01-02 --rfc-3339=date; date -u -d @0 --rfc-3339=ns; date --rfc-3339=x 2>/dev/null; echo $?",
    `date +%s%3N | wc -c; date +%6N | wc -c; date +%s%N | wc -c; TZ=Asia/Tokyo date -d @0 "+%z %:z %::z %:::z"; date -u -d '2024-03-05 07:08:09' "+%-d/%-m/%Y %_d %^a %^B %#p %-I:%M %-H|%_H|%k|%-j|%_m|%010Y|%3S|%5d|%-y|%-e|%_5m|%^10b|%-S"; TZ=Asia/Tokyo date -Iseconds -d @0; TZ=America/New_York date -d '@1720000000' '+%-I:%M %P %:z %-d %-m'; date -u -Iminutes -d @0; date -u -Ins -d @0 2>/dev/null | cut -c1-10; date -d @0 '+100%% %-d'; date -d @0 "+%%-d %:::z"; TZ=Asia/Kolkata date -d @0 '+%:z %H:%M'; d=$(date +%-m); [ "$d" -ge 1 ] && echo ok; date -d @5 +%-N; date -u -d 2024-12-25 +%-U`,
  ],
  'functions: words, variables, return': [
    `f() { local x=$(false); echo $?; local y; y=$(false); echo $?; local a b=2 c=$b; echo "[$a] $b $c"; }; f; x=g; h() { local x=l; k; echo $x; }; k() { echo "k sees $x"; x=changed; }; h; echo $x; m() { local x; echo "[\${x-unset}]"; x=in; unset x; echo "[\${x-unset}]"; }; m; echo $x; n() { local IFS=,; set -- a,b c; echo "$*"; for w in $1; do echo $w; done; }; n; echo "a b" | { read p q; echo $q; }; o() { declare -g G=glob; local L=loc; export EX=ex; readonly RO=ro; }; o; echo $G \${L-nol} $EX $RO; p() { local v=1; eval 'local v=2; echo $v'; echo $v; (v=3; echo $v); echo $v; { v=4; }; echo $v; v=5 q; echo $v; }; q() { echo "q $v"; }; p; r() { local -a arr=(1 2); arr[5]=x; echo \${#arr[@]}; s; echo \${arr[0]}; }; s() { arr[0]=s; }; r; echo \${arr[@]-noarr}; t() { local i; for i in 1 2; do u; done; echo $i; }; u() { local i=9; }; t; fact() { local n=$1; if (( n <= 1 )); then echo 1; else local r; r=$(fact $((n-1))); echo $((n*r)); fi; }; fact 6; depth() { local d=$1; (( d > 0 )) && depth $((d-1)); echo -n "$d "; }; depth 3; echo; v() { local OPTIND=1 o; while getopts 'x:y' o; do echo "$o \${OPTARG-}"; done; shift $((OPTIND-1)); echo "rest $*"; }; v -x 1 -y z; v -y -x2 w; w() { echo "$# $1"; shift; echo "$# \${1-none}"; }; w a b; w a; y() { return 1; }; if y; then echo T; else echo F; fi; y || echo "or $?"; z() { cat; }; echo in | z; z <<< here; z < <(echo ps); aa() { echo out; echo err >&2; }; aa 2>/dev/null; aa > /dev/null 2>&1; b2=$(aa 2>&1); echo "$b2"; ab() { local tmp; tmp=$(mktemp); trap "rm -f $tmp" EXIT; echo ok; }; (ab); ac() ( cd /; x=sub; pwd ); ac; echo $x; function ad { echo "ad $1"; }; ad 1; ae () { echo ae; }; ae; unset -f ae; ae 2>/dev/null || echo "noae $?"; af() { f2() { echo inner; }; f2; }; af; f2; ag() { "$@"; }; ag echo cb; ah() { local cmd=("$@"); "\${cmd[@]}"; }; ah printf '%s|' 1 '2 3'; echo; ai() { [[ $1 ]] || { echo usage; return 2; }; echo fine; }; ai; echo $?; ai x; ak() { set -e; false; echo no; }; (ak); echo "ak $?"; al() { for a; do :; done; echo $a; }; al 1 2; am() { echo \${@:2} \${@: -1} \${#@} \${*%x}; }; am ax b cx; an() { local s="$*"; echo "\${s// /_}"; }; an a "b c"; ao() { printf '%s\\n' "\${1:?need arg}"; }; (ao) 2>/dev/null; echo $?; ao v; ap() { eval "$1=\\$2"; }; ap dyn "v w"; echo "$dyn"; aq() { printf -v "$1" '%s' "$2"; }; aq dyn2 "z"; echo $dyn2; ar() { while [ $# -gt 0 ]; do case $1 in --*=*) echo "\${1%%=*} -> \${1#*=}";; --*) echo "$1 $2"; shift;; *) echo "pos $1";; esac; shift; done; }; ar --a=1 --b 2 c; as() { return $(( $1 > 5 )); }; as 3 && echo le; as 9 || echo gt; at() { echo "$FUNCNAME \${#FUNCNAME[@]}"; }; at; au() { local l=$LINENO; echo $(( LINENO - l )); }; au; echo "\${_}" > /dev/null; av() { { echo blk; return 4; }; echo no; }; av; echo $?; aw() { while true; do return 6; done; }; aw; echo $?; ax() { echo a | while read l; do return 7; done; echo "after $?"; }; ax; ay() { (exit 8); }; ay; echo $?; az() { ! true; }; az; echo $?`,
    `f() { set -- x y; }; f; echo "[$1] $#"; set -- a; g() { set -- p q r; shift; echo $1; }; g; echo "$1 $# [$2]"; h() { echo "$1 $#"; }; h; h z; i() { set --; j in; echo $#; }; j() { echo "j $1"; set -- 1 2 3; }; i q; echo $#; find_it() { printf 'a\\nb\\nc\\n' | while read l; do [ $l = b ] && return 0; done; echo "after $?"; return 1; }; find_it; echo $?; k() { seq 3 | while read x; do [ $x = 2 ] && return 4; echo $x; done || echo "st $?"; }; k; l() { return 3 | cat; echo on; }; l; m() { if echo x | { read y; return 2; }; then echo t; else echo "e $?"; fi; }; m; n() { for i in 1 2; do echo $i | while read z; do return; done; echo l$i; done; }; n; o() { while read l; do return 5; done < <(echo a); echo no; }; o; echo $?; p() { x=$(return 6); echo "x $?"; }; p; q() { (return 7); echo "q $?"; }; q; r() { { return 8; }; echo no; }; r; echo $?; set -- 1 2 3; echo \${#@} \${#*} "\${#@}"; s() { echo \${#@}; }; s; s a 'b c'`,
  ],
  'the status of loops': [
    'while true; do false; break; done; echo $?; for i in 1; do false; continue; done; echo $?; for ((i = 0; i < 2; i++)); do false; continue; done; echo $?; until false; do false; break; done; echo $?; while true; do (exit 3) || break; done; echo $?',
    'for i in 1; do for j in 1; do false; break 2; done; done; echo $?; for i in 1; do for j in 1; do false; continue 2; done; echo no; done; echo $?; f() { for i in 1; do (exit 4); break; done; return; }; f; echo $?; f() { while true; do false; return; done; }; f; echo $?',
    'n=0; while [ $n -lt 3 ]; do n=$((n+1)); [ $n = 9 ] && echo x; done; echo $?; false; while false; do :; done; echo $?; false; for i in; do :; done; echo $?; false; if false; then :; fi; echo $?; false; case x in y) ;; esac; echo $?',
  ],
  'expressions and subshells in two parentheses': [
    'a=5; b=3; (( a - b >= 1 )) && echo 1; (( a - b > 1 && b < 4 )) && echo 2; (( a -- )); echo $a; ((a -= 1)); echo $a; (( a - b ? 1 : 0 )) || echo 3; ((a - b >= (b - 9))) && echo 4; if (( a - b >= c && d - e < 1 )); then echo 5; fi; ls',
    '((echo a); echo b); ((echo d) | cat); ((echo x) && (echo y)); ( (echo c) ); ((echo a b)); echo $?',
    `((\na = 1,\nb = a + 1\n)); echo $b; i=5; j=1; (( i - j<<2 )); echo $?; (( i - j & 1 )) || echo z; (( \${#i} - 1 >= 0 )); echo $?; arr=(1 2 3); (( \${arr[1]} - arr[2] < 0 )) && echo neg; (( $(echo 3) - 1 == 2 )) && echo sub; for ((i = 0; i - 2 < 0; i++)); do echo $i; done; while ((n -= 1)); do ((n < -3)) && break; done; echo $n`,
  ],
  'exit in a trap': [
    "trap 'echo bye; exit' EXIT; exit 2",
    "f() { false; exit; }; (trap f EXIT; exit 3); echo $?; (trap 'exit 5' EXIT; exit 2); echo $?; x=$(trap 'true; exit' EXIT; exit 6); echo $?; trap 'exit' EXIT; false",
  ],
  timeout: [
    "export B=2; timeout 9 bash -c 'echo $B'; timeout 9 printenv B; A=1 timeout 9 bash -c 'echo $A'; timeout 9 false; echo $?; timeout x true 2> /dev/null; echo $?; timeout 2> /dev/null; echo $?; timeout 1m true; echo $?; echo in | timeout 9 cat; timeout -k 1 9 echo k; timeout -s KILL --foreground 9 echo s; timeout 0 echo z",
    "timeout 1 bash -c 'echo a; for i in 1 2; do echo $i; sleep 9; done; echo no'; echo $?; timeout 1 bash -c 'echo b; while :; do :; done'; echo $?; timeout 1 bash -c 'while echo c; do sleep 9; done > o; echo no'; cat o; x=$(timeout 1 sh -c '{ echo d; sleep 9; }; echo no'); echo \"$? $x\"",
    'if timeout 0.3 sleep 9; then echo no; else echo $?; fi; timeout -s KILL 0.3 sleep 9 2> /dev/null; echo $?; timeout --preserve-status 0.3 sleep 9; echo $?; timeout 9 timeout 0.3 sleep 9; echo $?; timeout 0.3 timeout 9 sleep 9; echo $?; timeout 0.3 xargs sleep <<< 9; echo $?; set -e; timeout 0.3 sleep 9; echo no',
  ],
  'env -i': [
    "env -i env; env -i A=1 B=2 printenv; env -i PWD=/x env; cd /tmp; env -i pwd; env -i printenv PWD; echo $?; env -i A=1 sh -c 'cd /; echo $A $PWD'; env -i ls -d .",
    `echo 'echo "A=$A B=\${B:-none}"' > s; env -i A=1 bash s; env -i A="a b" sh s; B=8 env -i A=2 bash s; env - A=3 bash -c 'echo $A'; env -i A=4 printenv A; env -i A=5 awk 'BEGIN { print ENVIRON["A"] }'; chmod +x s; env -i A=6 ./s; x=$(env -i A=7 bash s); echo "$x"; env -i A=8 bash s | cat; export B=9; env -i A= bash s; env A=1 bash s`,
  ],
  'conditions that end the script': [
    '(n=0; while n=$((n+1)); [ $n -gt 2 ] && exit 3; true; do echo $n; done; echo no); echo $?; (n=0; until n=$((n+1)); [ $n -gt 2 ] && exit 4; false; do echo $n; done; echo no); echo $?; (if echo a; false; then echo no; elif exit 3; then echo no; fi); echo $?; f() { while true; do echo in; [ -n "$1" ] || return 6; done; }; f || echo $?',
  ],
  'what set -x shows of a shell inside': [
    "bash -x -c 'echo hi; f() { echo in; }; f' 2>&1 | sort; printf 'echo b\\necho c\\n' > s; bash -x s 2>&1 | sort; sh -c 'set -x; echo a' 2>&1 | sort",
  ],
  'indexes that are none': [
    'a=(1 2); i=-9; a[$i]=3; echo no\necho $? ${a[@]}; a[i]=3; echo no\necho $?; (a[i]=3; echo no); echo $?; a[i + 9]=5; echo ${a[0]}',
    'declare -A m; k=; m[$k]=x; echo no\necho $? ${#m[@]}; m["$k"]+=x; echo no\necho $?; k=a; m[$k]=y; echo ${m[a]}; (k=; m[$k]=z; echo no); echo $?; f() { m[]=x; echo no; }; f\necho on',
    "declare -A n; while IFS=, read -r k v; do n[$k]=$v; done <<< $'a,1\\n,2\\nb,3'; echo no\necho ${!n[@]}; for w in x y x; do n[$w]=$((${n[$w]:-0} + 1)); done; echo ${n[x]} ${n[y]}",
  ],
  'wide ranges': [
    'echo {1..30000} | md5sum',
    'echo {100000..1..7} | md5sum',
    'for i in {1..20000}; do :; done; echo $i; echo {1..3} {c..a} {x,y}{1..2}',
  ],
  printf: [
    "printf '%f\\n' text; echo $?; printf '%d\\n' text; echo $?; printf '%d %s\\n' 3x y; echo $?; printf \"%5.1f|%e\\n\" abc def; echo $?",
    "printf '%s\\n' a b c; printf '%s-%s\\n' a b c; printf '%s\\n'; printf 'x\\n'; printf '%d\\n'; printf '%5s|%-5s|%05d|%+d|%x|%X|%o|%c|%%\\n' ab cd 42 7 255 255 8 hello",
    "printf '%b' 'a\\tb\\n' 'c\\\\d\\n'; printf '%q\\n' 'a b' \"it's\" '' 'x'; printf '%s' ''; printf '%c|' '' a bc | od -c",
    "printf -v x '%03d' 7; echo $x; printf -v 'a[2]' '%s' hi; echo ${a[2]}; printf -v y '%s,' 1 2 3; echo $y",
    "printf '%d %d %d\\n' 0x1f 017 \"'A\"; printf '%i\\n' -5; printf '%u\\n' -1; printf '%5.2f %.0f %g %G %e\\n' 3.14159 2.5 1e10 0.0001 12345.678",
    "printf '%*d|%-*d|%.*f\\n' 5 42 6 7 2 3.14159; printf '%.3s|%10.2s|\\n' abcdef xyz; printf '\\x41\\101\\n'; printf 'a\\cb'; echo",
    "printf '%(%Y)T\\n' 0; printf -- '-%s-\\n' x; printf '%s %s\\n' \"${a[@]}\"; printf '%-20s%s\\n' name value; printf '=%.0s' {1..10}; echo",
    "printf \"%s\\t%s\\n\" a b; printf '%5d%%\\n' 50; printf '%#x %#o\\n' 255 8; printf '% d\\n' 5; printf \"%'d\\n\" 1000; printf 'no newline'; printf '\\n%s' \"é\" | wc -c",
    "printf '%5s|%-5s|\\n' é ü; printf '%s\\n' \"a\\nb\"; printf \"%b\\n\" \"a\\nb\"; printf '%d\\n' ' 5'; printf '%d\\n' ''; echo $?; printf '%x\\n' -1; printf '%.2f\\n' 1,5; echo $?",
    'printf "%.0f %.0f %.1f %.2f\\n" 0.5 1.5 0.25 0.125; printf "%d\\n" 9223372036854775808; echo $?',
  ],
  'a writer whose reader has ended': [
    'seq 1 100000 | head -1; echo "${PIPESTATUS[@]}"; seq 1 5 | head -1; echo "${PIPESTATUS[@]}"',
    'set -o pipefail; yes | head -1; echo $?; ! yes | head -1; echo $?; yes | cat | head -2; echo "${PIPESTATUS[@]}"',
    'set -euo pipefail; yes | head -1; echo no',
    'if seq 1 100000 | head -2 | tail -1; then echo ok; fi',
  ],
  'commands with &': [
    'sleep 100 & p=$!; kill $p; wait $p 2>/dev/null; echo $?; kill -0 $p 2>/dev/null; echo $?; wait 99999 2>/dev/null; echo $?',
    'f() { return $1; }; f 2 & a=$!; f 0 & b=$!; wait $a; echo $?; wait $b; echo $?; [ $a != $b ] && echo differ',
    'x=1; { x=2; echo "in $x"; } & wait; echo "out $x"; a=(1 2); (echo "${a[@]}"; a+=(3)) & wait; echo ${#a[@]}',
    '(sleep 0.1; echo late) & echo early; wait; (exit 3) & wait $!; echo $?; false & wait; echo $?',
    'for n in 3 0 5; do (exit $n) & p+=($!); done; for i in "${p[@]}"; do wait $i; echo $?; done',
    'echo hi > f & wait; cat f; out=$(echo x & wait; echo y); echo "$out"; set -e; false & wait $! || echo failed; jobs',
    '{ echo a & wait; } > f; cat f; for i in 1; do echo $i & done > g; wait; cat g; (echo end) & :',
  ],
  'set -e in conditions': [
    'set -e; { false; } || echo x; test $((2*2)) -gt 5 || echo small; ! { false; echo on; }; echo end',
    'set -e; f() { false; echo on; return 3; }; f || echo "got $?"; f && echo no; ! f; if f; then :; else echo else; fi; f; echo never',
    'set -e; (false; echo in) || echo no; { for i in 1; do false; done; echo after; } && echo yes; x=$(false; echo v) || echo s; echo $x; { true && false; } || echo or; true && { false; echo never; }; echo never',
    'set -e; f() { return 4; }; f || { echo $?; }; true | f || echo ${PIPESTATUS[@]}; false | true | f && echo no || echo "p $?"; ls none 2>/dev/null | cat || echo no; echo end',
  ],
  'set -e in substitutions': [
    'set -e; x=$(false; echo v); echo $x; y=$(f() { false; echo f; }; f); echo $y; (false; echo no); echo no',
    'f() { echo "a $?"; return 2; }; (exit 3); x=$(f); echo "$x $?"; y=$(echo $?; echo b); echo $y; set -e; z=$(exit 4) || echo "z $?"; z=$(echo; false); echo never',
  ],
  'words that are split, and elements in expressions': [
    'declare -A c; for w in a b a; do c[$w]=$(( ${c[$w]:-0} + 1 )); done; echo ${c[a]} ${c[b]}; a=(4 5); i=1; echo $(( ${a[i]} * 2 + ${#a[@]} ))',
    'cmd="echo hi there"; $cmd x; ${cmd} "a b"; e=; $e echo empty; $(echo echo sub) y; set -u; $cmd; "$cmd" 2>/dev/null; echo $?; g=f; f() { echo "f $1"; }; $g 1; t="[ 1 -eq 1 ]"; $t && echo ok',
    'a=(5 3); IFS=,; v="${a[*]}"; echo "$v"; cat <<< "${a[*]}"; IFS=$\'\\n\' s=($(sort <<< "${a[*]}")); unset IFS; echo "${s[@]}"; case "${a[*]}" in "5 3") echo blank ;; esac',
    "readarray -t -d, p <<< 'x,y,z'; echo ${p[1]}; mapfile -td ' ' q <<< 'a b'; echo ${q[0]}; readarray -t -d '' r < <(printf 'a\\0b\\0'); echo ${#r[@]}",
  ],
  'du of files and the names that tar lists': [
    "printf 'a%.0s' {1..30} > x; head -c 5000 /dev/zero > big; du x big; du -sh x big; du -ak x; du -bc x big; du -h --apparent-size big; du -m big; du nosuch; echo $?; du -d x; echo $?",
    'mkdir d o; echo a > d/x; echo b > n; tar -cvf t.tar d; tar -tvf t.tar | wc -l; tar -czvf t.tgz d/x n 2> /dev/null; tar xvzf t.tgz -C o; ls -R o; tar cvf - d 2> /dev/null | tar tf -; tar xvf nosuch.tar 2> /dev/null; echo $?; tar -cvf q.tar nosuch n 2> /dev/null; echo $?',
  ],
  'errors that are sent to the output': [
    '{ echo a; ls no; echo b; } 2>&1; (echo a; ls no; echo b; ls no | wc -l 2> /dev/null) 2>&1 | sort; for i in 1 2; do echo $i; ls no$i; done > log 2>&1; cat log; while read -r l; do echo "$l"; ls "x$l"; done <<< 1 >> log 2>&1; cat log',
    'if ls no; then :; else echo else; ls no2; fi 2>&1; x=$({ echo a; ls no; echo b; } 2>&1); echo "$x"; { echo a; ls no >&2; echo e >&2; } > f 2>&1; cat f; { x=$(ls no); echo "$x|"; f() { echo f; ls no; }; f; ! ls no; y=1; } 2>&1; echo $y; case a in a) ls no; echo a ;; esac 2>&1',
    '{ ls no; } 2>&1 > g; cat g; { ls no; echo z; } 2>&1 > /dev/null; (set -e; { echo a; false && true; ls no || echo or; ls no; echo never; } 2>&1); echo $?; { cat none | wc -l; echo "${PIPESTATUS[@]}"; } 2>&1 | sort; { sleep 0.01 & wait; echo w; } 2>&1; f() { { ls no; return 2; } 2>&1; }; f; echo $?; for i in 1 2; do { ls no; continue; } 2>&1; done',
    '(exec 2>&1; ls no | wc -l; echo x) | sort; exec 2>&1; { ls no; echo o; } | wc -l > a; cat a; x=$(ls no); echo "x=$x" > x; (ls no) | cat > f; cat f x; ls no > g; cat g; f() { ls no; }; f | wc -l > a; cat a; ls no 2> /dev/null; { ls no; } > h; cat h; ls no && echo no || echo or; ! ls no; echo $?; set -e; ls no; echo never',
  ],
  patch: [
    "seq 1 20 > a; sed 's/^5$/five/; s/^15$/fifteen/' a > b; diff -u a b | sed 's/\\t.*//' > p; patch < p; patch -R < p; patch --dry-run < p; patch a p; patch -N < p; echo $?; cat a.rej; patch < p; echo $?; ls; cmp a b; patch -t < p; cat a | md5sum; ls",
    "seq 1 20 > a; sed 's/^5$/five/; s/^15$/fifteen/' a > b; diff -u a b | sed 's/\\t.*//' > p; sed -i '1i x\\ny' a; patch < p; sed -n 7p a; ls; seq 1 3 > a; patch < p; echo $?; cat a.rej; patch -f --dry-run < p; echo $?; patch -s < p; rm a b; patch < p; echo $?",
    "seq 1 20 > a; sed 's/^5$/five/; s/^15$/fifteen/' a > b; diff -u a b | sed 's/\\t.*//' > p; sed -i 's/^3$/three/' a; cp a c; patch < p; mv c a; patch -F0 -r - < p; echo $?; sed -i 's/^15$/XV/' a; patch < p; cat a a.rej",
    "seq 1 20 > a; sed 's/^5$/five/; s/^15$/fifteen/' a > b; diff -u a b | sed 's/\\t.*//' > p; mkdir -p s/t; mv a s/t/a; sed -i 's#--- a#--- x/s/t/a#; s#+++ b#+++ y/s/t/a#' p; patch -p1 -b < p; ls s/t; patch -p3 -d s/t -R -i ../../p; patch -p1 -o out < p; cmp out b && echo same; patch -p2 < p | head -3; patch < p | tail -2",
    "mkdir -p o/d n/d n/e; echo 1 > o/d/f; echo 2 > n/d/f; echo new > n/e/g; echo old > o/h; printf x > n/k; diff -ruN o n > p; echo $?; sed 's/\\t.*//' p; cd o; patch -p1 < ../p; find . | sort; cat k; patch -R -p1 < ../p; find . | sort; cat d/f h",
    "printf -- '--- /dev/null\\n+++ b/n/x\\n@@ -0,0 +1,2 @@\\n+x\\n+y\\n' > p; patch -p1 < p; cat n/x; patch -p1 < p; echo $?; patch -R -p1 < p; ls; echo a > f; printf -- '--- a/f\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-b\\n' | patch -p1; echo $?; cat f; printf 'a\\nb' > g; printf -- '--- g\\n+++ g\\n@@ -1,2 +1,2 @@\\n a\\n-b\\n\\\\ No newline at end of file\\n+c\\n\\\\ No newline at end of file\\n' | patch; cat g",
    "echo hi | patch; echo $?; patch a < /dev/null; echo $?; patch -i none; echo $?; patch --wat; echo $?; patch -d none < /dev/null; echo $?; patch a b c; echo $?; seq 3 > a; printf -- '--- a\\n+++ a\\n@@ -1,2 +1,2 @@\\nzz\\n' | patch 2> /dev/null; echo $?; seq 3 | sed s/2/x/ | diff a - > n; patch a < n; cat a; printf -- '@@ -1,3 +1,3 @@\\n 1\\n-x\\n+2\\n 3\\n' | patch a; printf 'From: me\\r\\n--- a\\r\\n+++ a\\r\\n@@ -1,2 +1,2 @@\\r\\n 1\\r\\n-2\\r\\n+y\\r\\n' | patch; cat a",
    "echo a > f; printf 'diff --git a/f b/d/g\\nsimilarity index 50%%\\nrename from f\\nrename to d/g\\n--- a/f\\n+++ b/d/g\\n@@ -1 +1 @@\\n-a\\n+b\\ndiff --git a/s b/s\\nnew file mode 100755\\nindex 000..111\\n--- /dev/null\\n+++ b/s\\n@@ -0,0 +1 @@\\n+hi\\n' | patch -p1; ls; cat d/g; stat -c %a s",
  ],
  'what links lead to': [
    'mkdir -p a/b; echo x > a/f; ln -s a/b l; ln -s l m; ln -s nope broken; cd a; for o in "" -f -e -m; do for p in ../l ../m f ../broken nope nope/x ../a/../m; do readlink $o $p | sed "s#^$(dirname "$PWD")##"; echo "${PIPESTATUS[0]}"; done; done; readlink -n ../l; readlink ../l ../m; readlink -z ../m | od -c | head -1; readlink; echo $?; cmp none f; echo $?; od none; echo $?; truncate -s 3 no/x; echo $?',
  ],
  'absolute names in archives': [
    'mkdir d o; echo a > d/x; tar -czf a.tgz "$PWD/d" 2> e; cat e; tar tzf a.tgz | sed "s#.*/d#d#"; tar tzf a.tgz | grep -c "^/"; tar xzf a.tgz -C o; find o -name x | grep -c .; tar cvf b.tar "$PWD/d/x" 2> /dev/null | sed "s#.*/d#d#"; tar -C / -cf c.tar "$PWD/d" 2> /dev/null; tar tf c.tar | grep -c "^/"; tar cPf p.tar "$PWD/d"; tar tPf p.tar | grep -c "^/"; tar cf - "$PWD/d" 2> /dev/null | tar tf - | grep -c "^/"; tar --create --file=i.tar --exclude=x "$PWD/d" 2> /dev/null; tar tf i.tar | sed "s#.*/d#d#"; tar cf r.tar d; tar tf r.tar',
  ],
  'groups that read the file they write': [
    'bash -c "exec > out; echo one; x=\\$(echo a); exec > out2; echo two; cat out >> out3"; cat out out2 out3',
    '{ echo a; wc -l < f; n=1; } > f; cat f; echo $n',
    'echo old > f; { head -1 f; echo b; } > f; cat f; { head -1 f; echo "## c"; sort f; } >> f 2>&1; cat f; { ls nosuch; wc -l f; } &> f; wc -l f; false; { tail -n 1 f; } > f; echo $?',
    "printf '# T\\n\\nintro\\n## A\\n' > r; { head -1 r; echo; echo '- a'; tail -n +3 r | sed 's/^/x /'; } > r; cat r; for i in 1 2; do { echo $i; tail -n +1 q$i 2> /dev/null; [ $i = 1 ] && continue; wc -l < r; } > r; done; cat r",
  ],
  'the status of what is not well formed': [
    '[ a = ]; echo $?; [ a b ]; echo $?; [ 1 -eq ]; echo $?; [ x -eq 1 ]; echo $?; [ 1 -eq x ] 2>&1 | grep -c integer; return 3; echo $?; trap x NOSIG; echo $?',
    'declare -A m=([a]=1); declare -p m; declare -A n=(["a b"]="x y"); declare -p n',
  ],
  'traps of failures': [
    `trap 'echo "err $? line $LINENO: $BASH_COMMAND"' ERR
false
ls nosuch 2> /dev/null
true && false
false || true
! true
if false; then :; fi
f() { false; echo in f; }
f
x=$(false)
{ false; echo b; }
for i in 1; do false; done
false | true
true | false
while false; do :; done
[ 1 = 2 ]
[[ 1 = 2 ]]
((0))
g() {
  return 3
}
trap 'echo "err $? line $LINENO"' ERR
g
echo "end $LINENO"`,
    `set -E; trap 'echo "err $LINENO $BASH_COMMAND"' ERR\nf() { false; true; }\nf\n(false; echo sub)\necho end`,
    `set -euo pipefail; trap 'echo "failed with $? at $LINENO"' ERR; echo a; ls nosuch 2>/dev/null; echo b`,
    `set -Eeuo pipefail; cleanup() { echo "cleanup $?"; }; trap cleanup EXIT; trap 'echo "error on line $LINENO"; exit 9' ERR\nwork() { cat nosuch 2>/dev/null; echo no; }\nwork\necho no`,
    "main() { trap 'echo E' ERR; false; g; }; g() { false; true; }; main; false; echo end",
    "trap 'n=$((n+1))' ERR; n=0; for i in 1 2 3; do false; done; echo $n; trap - ERR; false; echo $n; trap 'x' ERR; trap -p",
    "trap 'echo E' ERR; eval 'false'; bash -c 'false'; command false; env false; echo hi | grep x; echo $?; grep -q zzz /dev/null && echo y; test -f nosuch || echo none; cmd=false; $cmd; echo z",
    `trap 'echo "E:$?"; false; echo in' ERR; false; echo "$?"; trap 'syntax (' ERR; false; echo ok`,
    "trap 'echo E' ERR; case x in x) false;; esac; if true; then false; fi; until true; do :; done; { true && false; }; a=1 false; declare x=$(false); f() { local y=$(false); }; f; echo done",
  ],
  'signals of a script to itself': [
    "trap 'echo term' TERM; kill -TERM $$; echo after; kill $$; echo again",
    "trap 'echo usr' USR1; kill -USR1 $$; echo after; kill -s USR1 $$; kill -10 $$; echo done; trap '' TERM; kill $$; echo alive; kill -0 $$; echo $?",
    "trap 'echo int; exit 3' INT; kill -INT $$; echo no",
    "(trap 'echo bye' EXIT; kill -TERM $BASHPID; echo no); echo $?; bash -c 'kill -INT $$; echo no'; echo $?",
    "bash -c 'f() { kill -HUP $$; echo no; }; f; echo no'; echo $?; bash -c 'for i in 1 2 3; do echo $i; [ $i = 2 ] && kill $$; done; echo no'; echo $?",
    "trap 'echo got' HUP; (kill -HUP $$; echo sub); echo main; trap -p; trap - HUP; trap; trap x NOSIG 2> /dev/null; echo $?",
    `trap 'echo T; stop=1' TERM; stop=0; n=0; while [ $stop = 0 ]; do n=$((n+1)); [ $n = 3 ] && kill $$; done; echo "n=$n"`,
  ],
  'traps of subshells': [
    "{ trap 'echo bye' EXIT; echo in; } | tr a-z A-Z; { trap 'echo q' EXIT; } > f; trap - EXIT; echo out",
    "(trap 'echo bye' EXIT; echo in); echo out; x=$(trap 'echo t' EXIT; echo v); echo $x",
    "(trap 'echo E $?' EXIT; exit 3); echo $?; (trap 'cat g' EXIT; echo a > g) | cat; trap 'echo own' EXIT; (trap 'echo sub' EXIT)",
  ],
  'braces and quotes that are text': [
    "case {a,b} in '{a,b}') echo lit ;; *) echo other ;; esac; cat <<< {a,b}; [[ {1..3} == '{1..3}' ]] && echo eq",
    "cat <<E\n$'a\\tb' \\$x $(echo $'t\\tq')\nE\ncat <<-E\n\ttabbed $'x'\n\tE",
    "printf '%q\\n' 'a b' '[x]' 'x=y' \"it's\" '' 'a$b' $'a\\nb' '~x' 'a~' '#a' 'x,y' 'a%b'; printf '%6q|%-4q|\\n' 'a b' c",
  ],
  'text programs': [
    "printf '3\\n1\\n2\\n' | tac; printf 'a\\nb' | tac; printf 'a\\n\\nb\\n' | nl; printf 'a\\n\\nb\\n' | nl -ba -w3 -s': '; printf 'a\\n' | nl -nrz -w4",
    "echo 'the quick brown fox jumps' | fold -s -w 10; printf 'a\\tb\\n' | fold -w 4; printf 'a\\tb\\n' | expand -t4; printf '        x\\n    y  z\\n' | unexpand; printf 'a       b       c\\n' | unexpand -a",
    "printf '1 a\\n2 b\\n3 c\\n' > x; printf '1 x\\n3 z\\n4 w\\n' > y; join x y; join -a1 x y; join -a2 -e- -o0,1.2,2.2 x y; join -v1 x y; join -a1 -a2 x y; comm x y; comm -12 x y; comm --total x y",
    'printf "k,a\\n1,b\\n" > x; printf "k,v\\n1,c\\n" > y; join -t, --header x y; join -t, -1 1 -2 1 -o 1.2,2.2 x y; printf "b\\na\\n" > u; join u x 2>/dev/null; echo $?',
    'seq 5 -1 1; seq 0 .25 1; seq -w 8 12; seq -s, 1 4; seq -f "%03g" 1 3; seq -w -2 2; seq 1.5 3; seq 10 1; seq -5 -3; seq x 2>/dev/null; echo $?',
    'factor 12 97 1 0 1001; echo 60 | factor; numfmt --to=iec 1024 1536 999; numfmt --from=si 1K; numfmt --to=iec-i --suffix=B 2048; echo "a 2048 b" | numfmt --field=2 --to=iec; numfmt --format="%.2f" 3.14159; numfmt x 2>/dev/null; echo $?; numfmt --to=iec 2.5 2.1 -9.91 99.5 999.4 1023.5 10188 1048575 0.5; numfmt --to=si --format=%.2f 2.5 999999 1500.7',
    'echo hello | dd bs=2 skip=1 count=1 status=none; echo; echo abc > f; dd if=f of=g conv=ucase status=none; cat g; dd if=/dev/zero bs=512 count=2 2>/dev/null | wc -c; printf abcdef > f; printf XY | dd of=f bs=1 seek=2 conv=notrunc status=none; cat f',
    "printf 'a\\nb\\nSEP\\nc\\nSEP\\nd\\n' > f; csplit -s f /SEP/ '{*}'; ls xx*; cat xx01; csplit f 2 4; csplit f /none/ 2>/dev/null; echo $?",
    "printf 'a b c d e f g h i j k l m n o p\\n' | fmt -w 10; printf '  indented text here that wraps\\n  second line of it\\n' | fmt -w 20; printf 'One. Two.\\nThree\\n\\nfour\\n' | fmt",
    "printf '1\\n2\\n3\\n4\\n' > a; printf '1\\n2\\nX\\n4\\n5\\n' > b; diff -y a b; diff -y -W 40 a b; diff --side-by-side --suppress-common-lines a b; diff -c a b | sed 's/\\t.*//'; diff -C1 a b | tail -n +3; diff -y a a; echo $?",
    'mkdir s t; touch s/a s/b x; mv -t t s/a s/b; ls s t; echo y > y; mv -b x y; ls; mv --backup=numbered t/a y; ls; mv -n y "y~"; ls; mv none q 2>/dev/null; echo $?; mkdir -p d1 d2/d1/f; mv d1 d2 && echo moved || echo kept; mv -T y z; ls',
  ],
  'characters that sed is given by number': [
    "echo abc | sed 's/\\d98/X/; s/\\o143/Y/; s/[\\x61]/\\d065/'; echo abc | sed 's/b/\\x26\\o46/'; echo a/b | sed 's/\\x2f/-/'",
    "printf '\\xef\\xbb\\xbfid\\n' | sed '1s/^\\xEF\\xBB\\xBF//'; printf 'a\\xc2\\xa0b\\n' | sed 's/\\xc2\\xa0/ /g'; echo x | sed 's/x/\\xe2\\x96\\x88/'",
    "echo 'q\"x' | sed 'y/\\x22q/\\d065b/'; echo abc | sed 'a\\\n\\x41\\o102'; echo abc | sed 's/b/\\cA/' | od -An -c; echo 'a\\x41' | sed 's/\\\\x41/b/'",
  ],
  tr: [
    "printf 'a\\tb\\r\\n' | tr -d '\\015' | tr '\\011' '\\054'; printf 'caf\\303\\251 x\\n' | tr -d '\\303\\251'; printf 'x\\303\\251y\\001\\n' | tr -cd '\\11\\12\\15\\40-\\176'; printf 'x\\303\\251' | tr '\\200-\\377' '?'",
    "echo 'Hello World-x' | tr a-y b-z; echo 'Hello' | tr '[:upper:][:lower:]' '[:lower:][:upper:]'; echo aabbcc | tr -s ab; echo aabbcc | tr -s a-b x; echo 'a-b_c' | tr -- -_ '  '; echo 'a b' | tr ' ' '\\n'; echo abc | tr abc 'x'; echo abc | tr -t abc xy; echo 'a1b2' | tr -dc 0-9; echo",
    "echo 'one  two' | tr -s '[:space:]' '\\n'; echo aXbX | tr -ds X b; echo abcdef | tr a-f '[x*3]yz'; echo abcd | tr a-d '[#*]'; echo 'a[b]c' | tr -d '[]'; echo 'x\\y' | tr '\\\\' /; echo 'l,ist;x' | tr -s ',;' ' ' | tr -cs 'a-z' '[\\n*]'; printf 'a\\0b' | tr '\\0' '\\n' | tr -d '\\000'",
    "for a in 'x' '-d' '-d a b' 'z-a b' '-q a b' '[:none:] a' 'a [:digit:]' 'ab [:upper:]' '-s a b c' '-ds a'; do echo xyz | tr $a 2>/dev/null; echo $?; done; echo abc | tr abc '' 2>/dev/null; echo $?; echo héllo | tr é e",
  ],
  "bytes that awk and $'…' are given by number": [
    'awk \'BEGIN { printf "\\342\\226\\210|\\xe2\\x96\\x88\\n"; print "\\101\\x42" }\'; printf \'a\\xc2\\xa0b\\n\' | awk \'{ gsub(/\\xc2\\xa0/, " "); print }\'; printf \'a\\303\\251b\\n\' | awk \'{ gsub("\\\\303\\\\251", "-"); print }\'',
    "echo $'\\342\\226\\210 \\xe2\\x96\\x88 \\101 \\\\303'; cat <<< $'\\303\\251'; echo 'a$' '\\303'",
  ],
  'redirections to connections': [
    'exec 3<>/dev/tcp/127.0.0.1/1; echo $?; echo hi >/dev/tcp/127.0.0.1/1; echo $?; cat < /dev/tcp/127.0.0.1/1; echo $?; { exec 5<> /dev/udp/none.invalid/1; } 2>/dev/null || echo closed',
    '{ echo a; echo b; } > /dev/tcp/127.0.0.1/1; echo $?; for i in 1; do echo $i; done >> /dev/tcp/127.0.0.1/1; echo $?; f() { echo hi; }; f 2>/dev/tcp/127.0.0.1/1; echo $?; (echo > /dev/tcp/127.0.0.1/1) 2>/dev/null && echo open || echo shut; set -e; echo never > /dev/tcp/127.0.0.1/1; echo never',
  ],
  'the letters of $-': [
    'echo $-; (echo $-); x=$(echo $-); echo $x; set -eu; echo "$- ${-}"; case $- in *e*) echo e;; esac; [[ $- == *i* ]] || echo not; f() { echo $-; }; f; set +e; f; echo ${-//[^u]/}; set -fCa; echo $-',
  ],
  'wrong indexes that are assigned': [
    'a=(1 2); n=1; a[n/0]=3; echo after $?\necho next',
    'a=(1); a[-5]=1; echo $?\necho next $?; (a[-5]=1; echo in); echo sub $?\n(a[1/0]=1; echo in); echo $?; x=$(a[1/0]=1; echo in); echo "$x $?"; a[1/0]=1 | cat; f() { a[1/0]=$(echo 1); echo in; }; f || echo or\necho no',
    'declare -A m; m[a/b]=3; m[x-y]=$(echo v); m[$(echo k)]=z; echo ${m[a/b]} ${m[x-y]} ${m[k]}; i=5; a[i/2]=x; a[i%2]=$(echo y); a[$i-1]=z; echo ${!a[@]} ${a[@]}; false; a[i/2]=1; echo $?; a[4/2]=$(false); echo $?; a[-1]=9; a[${#a[@]}-1]+=1; echo ${a[@]}',
  ],
  'assignments to readonly variables': [
    'readonly r=1; r=2; echo no\nf() { r=3; echo in; }; f; echo no\n(r=4; echo no); echo sub $?\nx=$(r=4; echo no); echo $? $x\nif true; then r=5; fi; echo no\nfor i in 1 2; do r=6; done; echo no\nr=5 || echo no\n{ r=5; } 2>/dev/null; echo no\ncase x in x) r=5 ;; esac; ! r=5; echo no\necho end $?',
    'readonly r=1; readonly r=7; echo $?; declare r=7 s=8; echo $? $s; f() { local r=7; echo $?; local r; echo $? $r; }; f; export r=8; echo $?; read a r b <<< "1 2 3"; echo $? $a $r $b; for r in 1 2; do echo no; done; echo $?; let r=5; echo $?; ((r++)); echo $? $r; r=9 true; echo $?; while read r; do :; done <<< x; echo $?',
    "readonly r=1\necho $((r = 5)); echo no\nx=$((r++)); echo no\nx=1 r=5 y=2; echo no\necho $x $y $r $?\nreadonly -a a=(1 2); a[0]=5; echo no\na+=(4); echo no\nmapfile -t a <<< x; echo $? ${a[@]}; trap 'echo bye' EXIT; UID=5; echo no\necho on; r=5",
    'set -e; readonly r=1; declare r=7 || echo caught; r=7\necho no',
  ],
  'commands that are elements': [
    'f() { echo "f $#"; "$@"; }; f echo a "b c"; run() { local c=("$@"); "${c[@]}" | cat; "${c[@]}" > o; cat o; }; run printf "%s|" 1 "2 3"; e=(); "${e[@]}"; echo $?; g=(env A=1 printenv A); "${g[@]}"; set -e; "$@"; x=$("${g[@]}"); echo $x; t() { "$@" && echo yes || echo no; }; t test 1 -eq 2; X=5 t printenv X; "${g[@]:0:1}" echo via',
    'a=(A=1 --b=2 "C=3" D="x y" [5]=E=4 f=$(echo q) # G=1\n H+=2\n); printf "<%s>" "${a[@]}" "${!a[@]}"; echo',
    'a=(A=1 $(B=2; echo $B) "$(c=(D=3); echo "${c[0]}")" `E=4; echo $E`); printf "<%s>" "${a[@]}"; cat <<E\nconst f=(x=1) => x\nE\necho "y=(z=1)" \'y=(z=1)\'; declare -a b=(P=1 Q); declare -A m=([k]=v=w [l]=m); echo "${b[@]}" "${m[k]}"; (A=1; echo $A)',
  ],
  'patterns of directories': [
    'x=q; mkdir qd; touch q1; d=.; echo $x*/ "$d"/*/ "$(echo .)"/*/; a=(*/); echo "${#a[@]} ${a[@]}"; cd qd; for d in */; do echo "<$d>"; done; touch f; for d in */ ./*/; do echo "<$d>"; done; shopt -s nullglob; for d in */; do echo "<$d>"; done; b=(*/); echo ${#b[@]}; set -f; echo */',
    'mkdir -p a/b "c d"; touch z; ls -d */; for d in */; do (cd "$d" && pwd | sed "s|.*/||"); done; ls -d */*/; for d in */; do echo "${d%/}"; done | sort; echo {a,c}*/ a/*/ c*/; printf "%s\\n" */ | wc -l; rm -r */; ls; x=*/; case q/ in */) echo case ;; esac; [[ q/ == */ ]] && echo match',
  ],
  'patterns with **': [
    'mkdir -p d/e .h; touch f d/g d/e/h .h/i; shopt -s globstar; echo **; echo **/; echo **/*; echo d/**; echo **/h **/*g; for f in **/*; do [ -f "$f" ] && echo $f; done; a=(**/*); echo ${#a[@]}; ls -d **/; echo ./**/h d/**/* none/**/x none/**; x=**; echo "$x"; shopt -s nullglob; echo n/** x; shopt -u globstar; echo ** **/* d/**; shopt -s globstar dotglob; echo **; set -f; echo **',
    `mkdir -p 'a b/[id]' x; touch 'a b/[id]/p.ts' 'a b/q.js' x/r.ts; shopt -s globstar; printf '<%s>' **/*.{ts,js} 'a b'/**/p.* "a b"/**/?.js ~/none/**; d='a b/[id]'; for f in "$d"/**; do echo "$f"; done; ls {x,y}/** 2>/dev/null; echo **/[p-q].* **/*/ x**; f() { for p in "$1"/**/*.ts; do echo "$p"; done; }; f .; ln -s x l; echo ** l/**/; echo /e**/none; e=x; echo $e/**/*.ts`,
  ],
  'od, xxd and kill -l': [
    "printf 'hello\\n\\tworld\\0\\377abcdefghij' > f; od f; od -c f; od -An -tx1 f; od -An -c -N4 f; od -A x -t x1z -v f; od -t d1 -N3 f; od -tu2 f; od -x f; od -An -td4 -N8 f; od -j 6 -N 5 -c f; od -An -v -w4 -tx1 f; od -b f; od -tx8 f; head -c 64 /dev/zero | od -tx1; od -c none 2>/dev/null; echo $?",
    "printf 'hello\\n\\tworld\\0\\377abcdefghij' > f; xxd f; xxd -l 8 f; xxd -p f; xxd -s 3 -l 5 f; xxd -c 8 f; xxd -g 1 f; xxd -u -p f; xxd -p f | xxd -r -p | cmp - f && echo same; xxd -c8 -g4 f; xxd -g0 f; kill -l 9; kill -l TERM; kill -l SIGINT; kill -l 130; numfmt --to=si < /dev/null",
  ],
  'here-strings in substitutions of several lines': [
    'x=$(\n  cat <<< "a b" | wc -w\n)\ny="$(\nwhile read -r l; do echo "<$l>"; done <<< "q\nw"\n)"; echo $x "$y" "<<< $x"; z=$(\n  cat   <<<$x; cat <<E\ndoc <<< text\nE\n)\necho "$z"',
  ],
  'break and continue in another shell than that of the loop': [
    'for i in 1 2; do ( break; echo on ); x=$(break; echo no); echo "$i<$x>$?"; echo a | { continue; echo on; }; (for j in a b; do break 2; done; echo $j); done; break; echo $?',
    'for i in 1 2; do echo a | while read l; do break 2; done; x=$(for j in a b; do continue 2; done; echo q); y=$( (break; echo in); echo q); z=$(while :; do break; done; echo q); echo "$i<$x><$y><$z>"; done',
    'f() { break; for x in 1 2; do break; done; echo $x; continue; echo still; }; for i in 1 2; do f; (true && continue); { echo a; break; } | cat; x=$(true && break\necho more); echo "$x"; done; while :; do eval break; done; n=2; for i in 1 2; do for j in a; do break $n; done; done; echo $i',
  ],
  'NUL bytes in substitutions': [
    "x=$(printf 'a\\0b\\0'); echo ${#x} \"$x\"; printf '%s' \"`printf 'q\\0'`\" | od -An -c; x=$(head -c 5 /dev/zero); echo ${#x}; x=$(head -c 5 /dev/zero | wc -c); echo $x; find . -print0 | od -An -c; y=$(printf '%c' ''); echo \"<$y>\"",
    "set -e; x=$(printf '%c' ''; false; echo on); echo \"<$x>\"; y=$(printf 'a\\0'; exit 4) || echo \"y $?\"; f() { printf 'a\\0b'; return 3; }; w=$(printf '\\0'; f; exit) || echo $? ${#w}; x=$(trap 'printf \"\\0bye\"' EXIT; printf 'in\\0'); echo \"$x\"; echo in | (x=$(printf '\\0'; cat); echo \"$x\"); z=$(printf '\\0'; false); echo no",
  ],
  'commands of no words': [
    '$empty; echo $?; false; e=; $e; echo $?; (exit 3); "$@"; echo $?; $(false); echo $?; false; $(true); echo $?; c=echo; $c hi > none/x; echo $?; $empty > made; ls; false; X=1 $empty; echo "$X $?"',
    'f() { echo "st $?"; }; g=f; false; $g; false; "$g" x; c="echo a $?"; $c; false; $g $?; run() { "$@"; }; false; run f; run; echo $?; r=return; h() { $r 3; echo no; }; h; echo $?; (x=exit; $x 4); echo $?',
    'set -e; x=(); "${x[@]}"; $e && echo yes; if $e; then echo t; fi; while $e; do break; done; echo hi | $e cat; echo in | { x=cat; $x; }; r() { "$@"; }; r false || echo "or $?"; r false; echo no',
  ],
  'files in directories that are missing': [
    'echo hi > none/x; echo $?; cat hi > none/x; echo $?; { echo a; } > none/z; echo $?; echo a >> none/q; echo $?; > none/e; echo $?; for i in 1; do echo; done > none/f; echo $?; echo a 2> none/y; echo $?; f() { echo a; }; f > none/u; echo $?; g() { { echo a; } > none/c; echo "in $?"; }; g; while false; do :; done > none/t; echo $?; x=$(echo hi > none/x); echo "$? $x"; ls',
    'touch z > none/x; echo a | tee none/y; echo $?; (echo a) > none/x || echo no; if echo a > none/x; then echo t; else echo e; fi; [[ a ]] > none/c; echo $?; if :; then :; fi > none/c || echo or; echo a > f; cp f none/g; echo $?; mv f none/g; echo $?; touch none/t; echo $?; ln -s f none/l; echo $?; mkdir none/m; echo $?; awk \'{print > "none/a"}\' f; echo $?; gzip -c f > none/z; echo $?; tar cf none/t.tar f; echo $?; truncate -s 3 none/q; echo $?; mkdir d; rm -r d; echo x > d/f || ls; set -e; { echo a; } > none/b; echo never',
  ],
  'readonly variables of functions': [
    'f() { declare -r x=1; declare -ri n=2; declare -ra l=(a b); echo $x $n ${l[1]}; }; f; f; x=5; n=6; l=(c); echo $x $n $l; g() { declare -gr G=1; }; g; echo $G; (G=2) 2>/dev/null || echo ro; h() { local -r q=1; echo $q; }; h; h; declare -r top=1; (top=2) 2>/dev/null; echo $?',
  ],
  'checksums, dates and head': [
    "printf 'a\\n' > f; sha256sum f > l; sha256sum -c l; sha256sum --quiet -c l; echo $?; sha256sum --status -c l; echo $?; echo b > f; sha256sum -c l 2>&1; echo $?; sha256sum -c --quiet l 2>/dev/null; echo $?; rm f; sha256sum -c l 2>/dev/null; echo $?; sha256sum --ignore-missing -c l 2>&1; echo $?; echo junk > j; sha256sum -c j 2>&1; echo $?; md5sum < j; sha1sum - < j; sha512sum -b j; sha256sum --tag j; sha256sum --tag j | sha256sum -c; sha256sum none 2>&1; echo $?; b2sum j; md5sum --quiet j 2>/dev/null; echo $?; echo 'd41d8cd98f00b204e9800998ecf8427e *e' > k; : > e; md5sum -c k; md5sum -c < k; md5sum j e",
    "date -u -d 'Jan 5 2024 3pm' '+%F %T'; date -u -d '5 January 2024' '+%F %T'; date -u -d 'Fri Jan  5 15:00:00 UTC 2024' '+%F %T'; date -u -d 'Fri, 05 Jan 2024 15:00:00 +0100' '+%F %T'; date -u -d '20240105' '+%F %T'; date -u -d '20240105 10:30' '+%F %T'; date -u -d '1/5/2024' +%F; date -u -d '3pm Jan 5 2024' '+%F %T'; date -u -d '2024-01-05 3:30 pm' '+%F %T'; date -u -d 'Jan 5, 2024 + 2 days' '+%F %T'; date -u -d 'jan 5 2024 12am' +%T; date -u -d 'sept 3 2023' +%F; date -u -d 'Jan 5 10:00' '+%m-%d %T'; date -u -d 'decade 5' 2>/dev/null; echo $?; date -u -d 'feb 30 2024' 2>/dev/null; echo $?; date -u -d '05-Jan-2024' +%F; date -u -d 'May 1 2024 -1 month' +%F; date -u -d '10:30 2024-02-03' '+%F %T'; date -u -d 2024-02-03T04:05:06Z '+%F %T'; date -u -d '2024-02-03T04:05:06.789+02:00' '+%F %T'; date -u -d 2024-02-03T04:05 '+%F %T'",
    'seq 5 > a; seq 6 9 > b; head -qn1 a b; head -vn 1 a; head -qc3 a b; tail -qn1 a b; head -n1 -q a b; ulimit -c; ulimit -c 0; echo $?',
  ],
  'directories that tar is given': [
    'echo a > f; tar cf t.tar f; tar -C none -xf t.tar; echo $?; tar xf t.tar -C none 2>/dev/null; echo $?; ls; mkdir -p o/p; tar xf t.tar -C o; tar --directory=none -xf t.tar 2>/dev/null; echo $?; tar -C o -cf - f | tar -xf - -C o/p; cat o/p/f',
  ],
  'bytes that echo -e is given by number': [
    "echo -e '\\xe2' a | od -An -tx1; echo -ne '\\xe2\\x96\\x88\\x00' | od -An -tx1; echo -e 'a\\tb\\\\n\\n' '\\?\\\"' '\\101' '\\01019' 'x\\cy' z; echo; echo -en a; echo -eE '\\n'; echo -e; echo -nex; s=' a b '; echo -e \"$s\" $s; f() { echo -e \"$@\"; }; f '\\t1' '\\e[0m'; y=$(echo -e 'a\\0b'); echo ${#y}",
    "echo -e '\\0342\\0226\\0210'; echo -e \"\\0342\\0226\\0210 \\\\\\\\0342 \\0101\"; echo -ne '\\0342\\0202\\0254\\n'; echo '\\0342'",
  ],
  find: [
    "mkdir -p d/e; echo a > d/a.txt; echo bb > d/e/b.log; : > d/empty; find d -type f | sort; find d -iname '*.LOG'; find d -empty; find d -maxdepth 1 | sort; find d -mindepth 2; find d -printf '%y %p %h %d %P\\n' | sort; find d -type f -printf '%f %s %m %M\\n' | sort",
    'mkdir d; for i in 1 2 3; do echo $i > d/$i; done; find d -type f -exec cat {} \\; | sort; find d -type f -exec echo {} + | wc -w; find d -name 2 -delete; ls d; find d -type f -quit; find d -depth -type d; find none 2>/dev/null; echo $?',
    "mkdir -p a/skip a/keep; touch a/skip/x a/keep/y a/z; find a -path a/skip -prune -o -type f -print | sort; find a \\( -name x -o -name y \\) | sort; find a ! -type d | sort; find a -regex '.*/[xz]' | sort; find a -regextype posix-extended -regex '.*(x|y)' | sort",
    "head -c 2000 /dev/zero > big; echo s > small; find . -type f -size +1k; find . -type f -size -2 | sort; find . -size +1000c -type f; touch -d '2 days ago' old; find . -type f -mtime +0; find . -newer old -type f | sort; find . -type f -mmin +60; find . ! -newermt 2021-01-01; chmod 600 small; find . -perm 600; find . -type f -perm /111",
  ],
  'the order in which words are expanded': [
    'k=3; echo $k $((k++)) $k $((k*2)) "${k}" $((k *= 3)) ${k%5} "$(echo $k)" $((k <<= 1)) $(echo $k); unset k; echo ${k-none} $((k*=2)) ${k-none}; i=1; a=(5 6 7 8); echo ${a[i]} $((i*=2)) ${a[i]} ${a[i++]} $((i*2)) ${a[i]}; s=abcdef; echo ${s:i:2} $((i/=2)) ${s:i:2}; n=2; b=($n $((n*=3)) $n); echo ${b[@]}; case $n-$((n%=4))-$n in 6-2-2) echo case ;; esac',
    'x=1; x=5 y=$((x*2)) z=$((y%7)); echo $x $y $z; a=$(echo 3; exit 2) b=$((a*2)) c=$((b%4)); echo $? $a $b $c; n=1 n=$((n*2)) n=$((n*2)) || echo no; echo $n; f() { local x=3 y=$((x*2)); echo $y; }; f; x=7 y=$((3*2)) env | grep ^y=; n=7 k=3; echo $((n += 2 ? n = k : k)) $((n *= n = 2)) $n; mkdir -p e; touch "e/n 5 2"; cd e; echo $((n * 2)); cd ..; x=1 y=$((x/0)); echo no\necho $? $x; set -e; x=$(exit 4) y=$((x*2)); echo no',
    'f() { return 3; }; f; echo $? $((3*4)) $?; f; for i in $? $((3*4)); do echo $i; done; f; x=$?$((3*4)); echo $x; f; a=($? $((3*4)) $(($?+1))); echo ${a[@]}; true | f; echo "${PIPESTATUS[@]} $((3*4)) ${PIPESTATUS[0]}"; f; [[ $((5%3)) -eq 2 && $? -eq 3 ]] && echo kept; f; for d in */ $?; do echo $d; done',
    'a=(5 6 7); i=4; echo "${a[$((i%3))]}" ${#a[$((i-3))]} "${a[$((i-3))]:-none}" ${a[@]:$((i-3)):1} "${a[-$((i-3))]}" ${a[$((${#a[@]}/2))]}; declare -A m=([1]=one [2,3]=t); echo "${m[$((i-3))]}" "${m[$((i-2)),$((i-1))]}"; for ((j=0;j<3;j++)); do g[$((j*2))]=$((j*j)); done; echo ${!g[@]} "${g[$((2<<0))]}"; [[ ${a[$((i%3))]} -eq 6 ]] && echo yes',
  ],
  'patterns that end with a slash in expansions': [
    'x=/a/b; v=${x##*/}; echo $v ${x##*/} ${x%%/*} ${x#*/} $(basename ${x##*/}); a=(${x##*/} q); echo ${a[@]}; y="a b/c"; for i in ${y##*/} ${y#*/}; do echo "<$i>"; done',
  ],
  'what a substitution changes of its shell': [
    'x=$(shopt -s nullglob; f() { echo; }; declare -i z; set -- a b); shopt -q nullglob; echo $?; type f 2>/dev/null; echo $#; z=1+1; echo $z; x=$(set -o pipefail; false | true; echo $?); echo $x; false | true; echo $?; x=$(set -f; echo *); echo "$x" /et*; x=$(readonly r=1); r=2; echo $r; echo "$(shopt -s nullglob; echo no*such)" no*such',
    'y=$(set -e; false; echo no); echo "$? $y"; s=$( (set -e; false; echo z); echo $?); echo $s; f() { echo "a $?"; return 2; }; (exit 3); x=$(f; set +u); echo "$x $?"; false; y=$(set +e; echo "$?"; exit 5); echo "$? $y"; if x=$(set -e; false; echo in); then echo t; fi; set -e; x=$(set -e; false; echo no) || echo "or $?"; echo $(echo $-) $(set -e; echo $-); y=$(set -e; false; echo no); echo never',
  ],
  'number signs, comments and documents in substitutions': [
    'f() { x=$(echo "$#"); echo $(echo $#) $x $(echo ${#x} $# ${#}) \'$#\' $(echo $(($# * 2))) $((16#ff)) $(echo $((2#11)) $(( $#+1 ))); [ $# -eq 2 ] && (( $# > 1 )) && echo $(printf %s $#); }; f a b\nx=$(echo http://h/p1#frag a,#b "c"#d); echo "$x"; y=$(echo /tmp/q | sed s#/tmp/#/x/#); echo "$y"; z=$(\n# don\'t do\necho a # it\'s\n); echo $z \'$#\'\ncat <<\'E\'\n$# $(x) /# a\nE',
    't=$(\ncat <<END | cat\nx $(echo "a  b")\nEND\ncase 1 in\nhello*) echo first ;;\n*) echo other ;;\nesac\n)\necho "$t"',
  ],
  'exec of a program': [
    "(exec echo hi; echo no); echo after; x=$(exec echo hi; echo no); echo $x; f() { exec false; }; trap 'echo bye' EXIT; (f; echo no); echo $?; (exec none-such 2>/dev/null; echo no); exec 3> f; echo q >&3; exec sh -c 'cat f; exit 3'; echo no",
  ],
  'defaults in quotes': [
    `s='hello world'; for x in \${s-"q r"} \${s:-'q r'} \${none-"q r"} \${none:-"$s"} \${s-""} a\${s-"q r"}b a\${none-"q r"}b "\${s:-"q r"}" "\${none:-"q r"}" \${none:="x y"} \${none:="z w"} \${e-"a"'b c'}; do echo "<$x>"; done; v=\${s:-"q r"} w=\${nn:-"q  r"}; echo "$v|$w"; a=(\${s:-"q r"} \${nn:-"q  r"}); echo \${#a[@]}; set -- \${1:-"a b"}; echo $#; case \${nn:-"a b"} in "a b") echo case;; esac; echo \${nn:-"*"}; set -u; echo \${nn:-"$s"} \${nn-"a  b"}`,
  ],
  'links that are written through': [
    'ln -s none/x l; echo hi > l; echo $?; cat l 2>/dev/null; echo a >> l; echo $?; cp /etc/hostname l 2>/dev/null; echo $?; ln -s made m; echo hi > m; cat made; { echo a; echo b; } >> m; cat made; echo q | tee l > /dev/null 2>&1; echo $?; ls -l m made | cut -c1; ln -s s s; echo x > s; echo $?; ln -s m1 m2; ln -s m2 m3; echo q >> m3; cat m1; cp made m9; cp m9 m3; cat m1; ls',
    'mkdir d; ln -s d e; echo q > e/i; touch e/t; cp d/i e/j; mv e/j e/k; mkdir e/g; ls d; chmod 600 e/i; stat -c %a d/i; sed -i s/q/r/ e/i; cat d/i; mkdir -p e/a/b; rmdir e/a/b; find d e/ | sort; rm -r e/a; ln -s i e/n; readlink e/n; cat e/n; mv d e/z 2>/dev/null; echo $?; cd e; find . -name t -delete; find . | sort; stat -c %F . ../e; cd ..; rm -r e; ls; ln -s d/i k; chmod 640 d/i; sed -i s/r/t/ k; cat k d/i; stat -c %a k; readlink k || echo file',
  ],
  'exec > file': [
    'x=$(echo a); exec > out 2>&1; echo "in $x $(echo b)"; echo c | tr c d; f() { echo "f $(echo g)"; return 3; }; f; echo $?; exec > out2; echo two; cat out >> out3; exit 4',
    'exec >> out < /dev/null; cat; echo $(echo x); cd /; y=5; set -e; false; echo no',
    'echo before; exec 3>&1 > out; echo in; exec >&3; echo after; cat out; exec 2> err; ls none; wc -l < err',
  ],
  'patterns with several names': [
    'mkdir -p a/b/c x/b; touch a/b/c/f x/b/g f; v=*/; echo $v; for d in $v; do echo "$d"; done; touch "p*q" pxq; echo *"*"* p"*"q; echo a//b* //us[r]; shopt -s globstar; echo **/b/**; echo */**; echo a/b/**; echo */b/**; echo **/b/**/; x="a/**"; echo $x; GLOBIGNORE="*q"; echo *',
    'mkdir -p d/e a/x; touch d/f d/.g .h a/x/q.ts a/1.txt; shopt -s dotglob; echo */*; echo */*/*.ts ./*/.* x*/y*; shopt -s nullglob; echo x*/y*; shopt -u dotglob nullglob; echo */* */*/* {a,d}/*; x=a; echo $x/*/*.ts "$x"/*/?.ts; b=(*/*.txt); echo ${#b[@]}; ls -d */*/; case a/b in */*) echo y;; esac; v=*/*; echo "$v" "*/*"; set -f; echo */*',
  ],
  'the mask of a subshell': [
    'umask 022; (umask 077; touch s; (umask 0; touch r); touch s2); umask; touch t; stat -c %a s r s2 t; x=$(umask 027; touch u; umask); echo $x; stat -c %a u; umask; (umask 077; exit 3); echo $?; f() (umask 077; mkdir d); f; umask; stat -c %a d; set -e; (umask 077; false; echo no); echo no',
  ],
  'input that several commands read': [
    `seq 9 > f; { head -n 1; sort -r; } < f; (head -n2; tail -n 1) < f; { head -c 3; cat; } < f; { head -2 | tr 1 x; cat; } < f; while read l; do x=$(cat); echo "$l" $x; done < f; while read l; do echo "$l"; grep 4; done < f; { sed 2q; read x; echo "r$x"; wc -l; } < f; { read a; (head -n 1; read b; echo "$a$b"); cat; } < f; { x=$(read y; echo "$y"; q() { :; }); echo "$x"; cat; } < f; { dd bs=3 count=2 2>/dev/null; head -n -2; cat; } < f; { (read x; echo q) | cat; base64; } < f; { head -n 1 | cat | head -n 1; ! sed -u 1q | cat; echo $?; sed -u 1q | (cat; exit 3); echo "$? \${PIPESTATUS[@]}"; grep x | cat || echo no; cat; } < f; printf '\\xff' > b; f() { cat "$1" | od -An -tx1; gzip -c "$1" | gunzip | od -An -tx1; gzip < "$1" | gunzip | wc -c; }; f b; while read l; do cat b | od -An -tx1; gzip -c b | gunzip | od -An -tx1; done <<< x; { cat | wc -l; cat; echo "$? end"; } < f; f() { head -n 1; sort -r; }; f < f; { f > g; cat g; cat; } < f; if grep -q 3; then cat; fi < f; { wc -c; cat; } < f`,
    `seq 9 > f; seq 3 | { head -n 1; sort; }; { head -n 1; cat; } <<< $'a\nb'; seq 20000 | { head -n 2; wc -l; }; seq 5 | while read l; do echo "$l"; tail -n 1; done; seq 4 | (sed -u 1q; sort -r); seq 4 | { sed 1q; sort; }; { head -n 1; cat; } < <(seq 5); { head -n 1; cat; } <<E\na\nb\nE\nfor i in 1 2; do head -n "$i"; done < f; { grep none; echo $?; cat; } < f; { head -n 1 < f; cat; } <<< q; set -e; { grep none || echo "or $?"; cat; echo "\${PIPESTATUS[@]}"; } < f; { ! grep none; cat; } < f; { head -n 1; grep none; echo never; } < f`,
    `seq 3 > f; echo 3 > g; while read l; do echo $l; cat g | sort | tail -n 1; echo x | cat - g; sed -i s/3/3/ g; grep -q 3 g && echo $l; grep -rl 3 g; awk '{print}' g; awk 'BEGIN { print 1 }'; head -n 1 g; sort < g; wc -l g; cut -d: -f1 g; uniq g; nl g; tac g; rev g; jq . g; jq -n 1; base64 g; fold g; md5sum g; column g; paste -s g; od -c g; xxd g; egrep 3 g; grep -c 3 -- g; sort -u g -o h; tee h < g; shuf -e a; xargs -a g echo; grep 3 g | grep 3 | while read x; do echo $x; done; cat g | cat | cat; sort g | sort | head -n 1; done < f; { grep "$(echo 2 | grep 2)" | grep 2; cat; } < f; { grep "$(grep 2 f)"; cat; } < f`,
    `seq 3 > f; : > e; echo w > g; while read l; do cat < /dev/null; cat < e; sort <<< x; wc -c < e; grep x < e; read x < g; read y < /dev/null; echo "$l $x $y $?"; f() { cat; }; f < g; f < e; cat < none 2>/dev/null; echo $?; cat <<E > h; cat h; wc -l <<< $((2**3)); X=5 printenv X < e; exec 3< f; read q <&3; echo $q; done < f\nin $l\nE\nseq 2 | while read l; do head -n 1 < /dev/null; echo $l; done; set -e; while read l; do grep 9 < f || echo none; grep 9 < f; done < f; echo never`,
  ],
  'mapfile, and inputs of their own that are empty': [
    'seq 5 > f; { mapfile -t -n 2 a; echo "${a[@]}"; cat; } < f; { mapfile -n 1 a; mapfile -t b; echo "${b[@]}"; } < f; { mapfile -s 1 -n 1 -t a; echo "${a[@]}"; read x; echo $x; } < f',
    'seq 5 > f; exec 3< f; mapfile -t -n 2 -u 3 a; echo "${a[@]}"; read -u 3 x; echo $x; mapfile -u 3 -t b; echo "${b[@]}"; mapfile -u 9 c; echo $?; echo in | { mapfile -t -u 3 q; echo "${#q[@]}"; cat; }',
    'printf \'a\\nb\' > f; mapfile -t a < f; echo "${#a[@]} ${a[1]}"; { mapfile -n 5 a; cat; } < f; mapfile -t a < /dev/null; echo ${#a[@]}; while mapfile -t -n 2 p && ((${#p[@]})); do echo "${p[*]}"; done < <(seq 5)',
    'seq 4 | while mapfile -t -n 2 p; [ ${#p[@]} -gt 0 ]; do echo "<${p[@]}>"; done; seq 3 | { mapfile -n 1; cat; }',
    'seq 3 > f; : > e; while read l; do cat < /dev/null | sort | head -n 1; cat < e; read x < /dev/null; echo "$l $? $x"; wc -l < e; mapfile -t a < e; echo ${#a[@]}; sort < e | cat; cat <<< \'\' | wc -l; done < f',
    '{ cat < /dev/null; read y < /dev/null || echo none; cat; } < <(seq 2); f() { cat; }; seq 3 | while read l; do f < /dev/null; (cat) < /dev/null; { cat; } < /dev/null; bash -c cat < /dev/null; echo $l; done',
    'seq 3 | { read a; tr 1-9 x < /dev/null; grep q < /dev/null; cat; }; exec < /dev/null; cat; read z || echo eof',
  ],
  'bases of bc, and files that date is given': [
    'echo "l(10)/l(2); 4*a(1); e(1); e(-1); e(0); e(10); e(-10.5); e(100); l(1); l(0); l(-1); l(.001); l(123456789.123)" | bc -l; echo "s(0); s(1); s(-2); s(1000); c(0); c(1); c(100); a(0); a(-1); a(.5); a(1000); j(0,1); j(-1,2); j(3,10); j(0,30)" | bc -l; echo "scale=50; 4*a(1); e(1); l(2); s(1); c(1); scale=0; e(1); l(10); s(1)" | bc -l',
    'printf "1; 1/0; 2\\n3\\n1;)2\\n4\\nsqrt(-1)\\ne(1)\\n5\\nx=3; x*2; quit\\n7\\n" | bc 2>/dev/null; echo $?; bc nofile </dev/null 2>/dev/null; echo $?; echo "e(1,2)\n5" | bc -l 2>/dev/null; echo $?; echo "3.5 > 2.1" | bc -l',
    'echo "obase=16; 255; 10.5; -26; 0; 4095; obase" | bc; echo "obase=2; 10; ibase=2; 1010" | bc; echo "ibase=16; FF; A; obase=2; FF; ibase" | bc; echo "obase=10; ibase=16; FF+1" | bc; echo "scale=4; obase=16; 10/3; .5" | bc; echo "FF; A+1; 2^226; 10^67; 10^68" | bc; echo "ibase=8; 17; 19; obase=2; 2^100" | bc; touch -d "2024-02-03 04:05:06" f; date -ur f; date -u -r f +%F; date -r f -u; date --reference=f +%s; date -urf +%T; date -ud 2024-02-03 +%F; date -ud@0; date -uR -d @0; date -ur none 2>/dev/null; echo $?',
  ],
  'split and csplit': [
    'seq 10 > f; split -n 3 f; tail xa*; split -n l/3 f y; head y*; split -n l/2/3 f; split -n r/3 f z; head z*; rm x* y* z*; split -l 4 -d f; split -l4 -d -a 3 --additional-suffix=.txt f part_; split -b 5 f; cat xaa xab; split --lines=3 f q; seq 5 | split -l 2 - s; split -5 f t; split -C 7 f c; cat caa; split -b 1K f k; split --numeric-suffixes=1 -n l/2 f m; split -n 12 f n; split -en 30 f o; split -xl1 f h; ls; rm *; seq 700 > f; split -l 1 f; ls | tail -n 3; split -l 1 -d f; ls | grep 9 | sed -n "1p;$p"; split -a 1 -l 1 f w; echo $?; split -l 0 f 2>/dev/null; echo $?; split -n l/0 f 2>/dev/null; echo $?; split none 2>/dev/null; echo $?; : > e; split e E; split -n 2 e E; ls E*',
  ],
  'output of what ends a script': [
    `f() { echo in; echo err >&2; exit 3; }; (f > o1); echo "$?"; cat o1; (f > /dev/null) 2>&1; (f >> o1 2>&1); cat o1; x=$(f 2>&1); echo "$? $x"; e() { : "\${1:?need}"; }; (e 2>/dev/null); echo "$?"; (e) 2>&1 | grep -c need; (eval 'echo ev; exit 6' > o2); echo "$?"; cat o2; g() { echo g; false; echo no; }; (set -e; g > o3; echo no); echo "$?"; cat o3; h() { cat; exit 4; }; (h < o3 > o4); cat o4; { (set -u; echo "$nope"); } 2>&1 | grep -c nope; (: "\${v:?m}") 2>/dev/null; echo "$?"`,
    `(: "\${x:?msg}") 2>&1 | grep -c msg; out=$( (: "\${x:?msg}") 2>&1); echo "$?"; echo "$out" | grep -c msg; { echo a; (echo $((1/0))); echo b; } 2>&1 | grep -c 'division\\|a\\|b'; x=$({ echo "$(ls none)"; } 2>&1); echo "$x" | grep -c none; for i in 1 2; do echo "$(ls none$i)"; done 2>&1 | grep -c 'none[12]'`,
  ],
  'defaults that are assigned under set -u': [
    `set -u; : "\${a:=1}" "\${b:=x y}"; echo "$a $b"; echo "\${c=q}" "$c"; f() { local v; : "\${v:=l}"; echo "$v \${1:-none}"; }; f; [[ "\${w:=1}" == 1 ]] && echo "$w"; [ "\${y:=z}" = z ]; : "\${e:=}"; echo "[$e]"`,
  ],
  'the status of an assignment with a redirection': [
    `x=$(exit 5) > o; echo "$?"; x=$(echo a; exit 3) 2>/dev/null; echo "$? $x"; false; x=1 > o; echo "$?"; false; > o; echo "$?"; if x=$(false) 2>/dev/null; then echo yes; else echo no; fi; set -e; x=$(exit 4) 2>/dev/null || echo "$?"; x=$(exit 6) > o; echo no`,
  ],
  'SECONDS, and other variables of the shell in expressions': [
    '((UID == $UID && EUID == $EUID)) && echo same; echo $((UID * 2 - $UID - UID)) $((PPID / 1 == $PPID)) $((LINENO % 10 + 1)); a=(x y z); echo ${a[LINENO % 2 + 1]}; (( SECONDS / 60 > 5 && 1 )) || echo less; echo $(( SECONDS >= 0 && SECONDS < 60 ))',
    'SECONDS=100; echo $((SECONDS >= 100 && SECONDS < 160)); ((SECONDS >= 100)) && echo yes; (SECONDS=900; echo ${SECONDS%??}); echo $((SECONDS < 200)); SECONDS=5; until ((SECONDS > 5)); do sleep 0.2; done; echo over; SECONDS=0; x=$SECONDS; echo $((x < 60))',
  ],
  'the size of a directory': [
    'mkdir d; [ -s d ] && echo yes; [ ! -s d ] || echo no; test -s none || echo none; [[ -s d && ! -s none ]] && echo both',
  ],
  'variables behind functions that had them locally': [
    'x=1; f() { local x=7; }; f; unset x; echo "${x-unset}"; g() { local -a y=(1); y=2; }; y=9; g; echo $y; unset y; echo ${y-gone}; h() { local z=1; i; echo ${z-hidden}; }; i() { unset z; echo "${z-up}"; }; z=3; h; echo $z; unset z; echo ${z-gone}; declare -p x y z 2> /dev/null',
  ],
  'what the shell tells of variables': [
    'export FOO="bar baz"; declare -x | grep "^declare -x FOO"; declare -i NUM=3; declare -r RO=1; declare -r | grep "^declare -r RO"; a=(1 "b c"); echo "${a[@]@A}" ${a[@]@A}; x="q w"; echo "${x@A}" "${NUM@A}" "${RO@A}" "${a@A}"; declare -A m=([k]=v); echo "${m[@]@A}"; echo $BASH_SUBSHELL; (echo $BASH_SUBSHELL; (echo $BASH_SUBSHELL); y=$(echo $BASH_SUBSHELL); echo $y); (:); echo "$BASH_SUBSHELL ${BASH_SUBSHELL+set}"; printf "%.3q|%6.4q|\\n" "a b c" "a b c"',
    `printf 'ab\\\\cd' | { read -N 3 x; echo "$x"; }; printf 'a\\\\b' | { read -N 4 x; echo "$? [$x]"; }; printf 'a\\\\\\nb\\\\c' | { read -N 3 x; echo "[$x]"; }; printf 'a\\\\bc' | { read -rN 3 x; read -N 1 y; echo "[$x$y]"; }`,
  ],
  'keys of awk in the order of its table': [
    `awk 'BEGIN{for(i=0;i<300;i++) a["key" i]; for (k in a) printf "%s ", k; print ""; for(i=0;i<37;i++) b["w" i*7 "z"]; delete b["w7z"]; b["q"]; for (k in b) printf "%s ", k; c["x"];c[3];c["y"];c[1];c["01"];c["1.5"];c[-2];c[0];c["\\303\\251"];c["a" SUBSEP "b"]; for(k in c) printf "%s ", k; for(i=15;i>0;i--) d[i]; for(k in d) printf "%s ", k}'`,
  ],
  'devices without end, links that ls names, and pieces of csplit': [
    "head -c 5 < /dev/zero | od -c; tr '\\0' x < /dev/zero | head -c 3; cat /dev/zero | head -c 10 | wc -c; tr -dc a-f < /dev/urandom | head -c 4 | wc -c; mkdir v1; echo a > v1/f; ln -s v1 c; ls -l c | grep -o 'c -> v1'; ls c; ls -F c; ls -lL c | wc -l; ls -l c/ | wc -l; printf 'commit a\\nx\\ncommit b\\ny\\n' > log; csplit -s -z log '/^commit/' '{*}'; head xx*; csplit log '/^commit/' '{1}'; csplit log '/y/' '{5}' 2> /dev/null; echo $?; echo a:b | cut -c 1 -d : 2> /dev/null; echo $?",
  ],
  'nocaseglob, and variables that env takes away': [
    'touch a1 a2 b1 A3; shopt -s nocaseglob\necho a* [B]1 *A?; shopt -u nocaseglob\necho a*',
    "env -u HOME bash -c 'echo ${HOME:-nohome}'; X=1; env -i Y=2 bash -c 'echo ${HOME:-h} $Y ${X:-x} ${PATH:+p}'; export Q=5; bash -c 'echo $Q; cd /; echo $PWD'; export -n Q; bash -c 'echo ${Q-unq}'",
  ],
  'functions that are exported': [
    'export -f nofunc 2> /dev/null; echo $?; f() { echo "in f $1 $B"; g; }; g() { echo g; }; export -f f g; export B=2; bash -c \'f a\'; echo x | xargs -I{} bash -c \'f {}\'; timeout 5 bash -c f; find . -maxdepth 0 -exec bash -c \'f "$0"\' {} \\; ; (bash -c \'bash -c "f n"\'); bash -c \'h() { :; }; export -f h; bash -c "h && echo nested"; bash -c "g"\'; h() { local x=$1; y=(a b); echo "$x ${y[1]}" | cat; return 3; }; declare -fx h; cat > s.sh <<< \'h z; echo $?\'; bash s.sh; chmod +x s.sh; ./s.sh',
  ],
  'words with = behind redirections, cases that are turned, and braces behind names': [
    `cat <<< a=b; base64 -d <<< aGVsbG8=; echo; echo x > k=v; cat k=v; y=aBc; echo "\${y~}" "\${y~~}" "\${y~~[ab]}"; a=(aB Cd); echo "\${a[@]~~}" "\${a[@]~}"; a=1; b=2; v=x; va=p; echo $v{a,b} \${v}{1,2} {$a,$b} $a{,,}z "$v"{a,b} $v{1..3} {$a,$b}z \${a}{a,b}c; set -- q; echo $1{a,b}`,
  ],
  'paths of descriptors': [
    `{ echo "to fd" > /dev/fd/1; cat /dev/stdin <<< in; (echo e > /dev/fd/2) 2>&1; echo y | cat /dev/fd/0; f() { cat "\${1:-/dev/stdin}"; }; echo pf | f; echo pg | while read -r l; do echo "[$l]"; done < "\${1:-/dev/stdin}"; echo q | { wc -l < /dev/stdin; }; exec 3>&1; echo three > /dev/fd/3; seq 3 | head -n 1 /dev/stdin; seq 3 | tail -n 1 /dev/stdin; seq 3 | paste -sd, /dev/stdin; echo h | base64 /dev/stdin; echo no > /dev/fd/7; echo $?; d=/dev/fd/2; (echo v > $d) 2>&1; x=$(echo c > /dev/fd/1); echo "$x"; echo a | rev /dev/stdin | xargs -I{} sh -c 'echo {} | cat /dev/stdin'; } 2>&1 | grep -v 'fd/7'`,
  ],
  failglob: [
    'shopt -s failglob\necho no*such; echo after $?\nfor f in *.none; do echo $f; done; echo next\n(echo no*such; echo sub); echo $?\nf() { echo x*y; echo inf; }; f; echo z\necho a $?\nx=$(echo q*q; echo w); echo "[$x] $?"; touch q1; echo q*; echo none/x > none/y; echo $?',
  ],
  'options without a value, and levels of shells': [
    'f() { local OPTIND opt; while getopts "ab:" opt; do echo "$opt ${OPTARG-unset} $OPTIND"; done; shift $((OPTIND-1)); echo "left: $*"; }; f -a -b 1 x y; f -ab2 -- z; f -a; echo $SHLVL; bash -c \'echo $SHLVL; bash -c "echo \\$SHLVL"; :\'; (echo $SHLVL); env -i bash -c \'echo $SHLVL\'',
  ],
  'lines before a syntax error, and files that are sourced': [
    `printf 'echo one\\nif true; then\\n  echo two\\nfi\\nf() { echo in f; }\\necho four )\\necho five\\n' > s; bash s; echo $?; bash -n s; echo $?; . ./s; echo $?; f; sh s; printf 'echo a\\nif true; then\\necho b\\n' > e; bash e; echo $?; printf 'echo a\\necho "open\\n' > q; bash q; echo $?; eval 'echo ev
echo )'; echo $?; bash -c 'echo c
echo (' ; echo $?`,
    `cat > s <<'S'
umask 077; sub=$(umask 022; umask); umask; v=$(echo $((5/0)); echo no); echo "v=$v"; echo $((1 << 40))
a=(1 2); a+=(3); f() { echo "f \${a[*]}"; }
[ "$1" ] && return 4
g() { echo g; }; declare -A m=([k]=v); m[x]=$((2 ** 40))
S
. ./s; echo $?; f; g; echo "\${m[x]}"; . s q; echo $?; (source ./s; f); bash -c '. ./s; g'`,
  ],
  'modes that are written by letters': [
    `umask 027; touch a; mkdir b; umask -S; umask u=rwx,g=rx,o=; umask; umask g-w,o+r; umask; umask -p; umask 027; chmod u+x,go-r a; stat -c %a a; chmod 4755 a; stat -c '%a %A' a; chmod -R g+w b; chmod --reference=a b; stat -c %A b; chmod a=r a; chmod +x a; stat -c %A a; chmod 999 a 2>/dev/null; echo $?; chmod u=rw,g=u,o=g a; stat -c %a a; chmod +t b; stat -c %A b; chmod -v 600 a; chmod -c 600 a; chmod -v 600 a; chmod 644 nofile 2>/dev/null; echo $?; chmod -x,g+r a; stat -c %a a; mkdir -m u=rwx,go= m; stat -c %a m; mkdir -p t/u; touch t/u/f; chmod -R a+X,u-w t; stat -c %a t t/u t/u/f; chmod -R u+rwX t; find . -perm -u+x -type d | sort`,
    `umask 022; echo i > a; install -m 755 a inst; stat -c %a inst; install -d -m 700 x/y; stat -c '%a %n' x x/y; install -Dm644 a q/w/e; cat q/w/e; stat -c %a q/w/e; install -v a inst q/w; install -t x/y -m u=rw a; stat -c %a x/y/a; install a 2>/dev/null; echo $?; install nofile z 2>/dev/null; echo $?; install a inst z 2>/dev/null; echo $?`,
  ],
  'answers to rm -i, and what rm -v tells': [
    `touch a b; echo x > c; mkdir -p v/w; touch v/w/z; rm -i a < /dev/null 2>/dev/null; ls; yes | rm -i a 2>/dev/null; printf 'n\\ny\\n' | rm -i b c 2>&1; ls; rm -rv v; rm -v b`,
  ],
  'programs of directories in PATH, directories above the root, and functions as they are written': [
    `mkdir sub; echo 'echo hi "$1"' > sub/w.sh; chmod +x sub/w.sh; PATH=$PATH:$PWD/sub; [ "$(command -v w.sh)" = "$PWD/sub/w.sh" ] && echo found; command -v nope; echo $?; if command -v w.sh > /dev/null; then w.sh you; fi; cd /tmp/../usr/.; pwd; cd /usr/bin/../../tmp/..; pwd; cd /..; pwd`,
    `f() { local x=$1; if [ "$x" = a ]; then echo $((1<<40)); fi; for i in 1 2; do echo $i; done; l=(1 2 "x=y"); [[ $x =~ ^a"b"$ ]] || cat <<< "q$x"; }; g() { eval "echo g $1"; sleep 0.01 & wait; ((x=16#ff)); echo $x; cat <<'T'
it's "quoted" \`x\`
T
}; bash -c "$(declare -f f g); f a; g 1"; declare -f > d.sh; (unset -f f g; . ./d.sh; f b; g 2); type f | head -1; declare -a l; l=("\${PWD[@]/%/x}"); declare -a | grep -c __a`,
  ],
  'tee, wc -L, xargs -s, and files that awk lacks': [
    `{ echo 4 | tee /dev/stderr | tr 4 5; } 2>&1 | sort; echo y | tee -a a b; echo z | tee -a a > /dev/null; cat a b; echo x | tee none/f 2>/dev/null; echo $?; printf 'ab\\tc\\n12345\\n' | wc -L; printf '\\t\\n' | wc -L; seq 5 | xargs -s 10 echo; seq 3 | xargs -s 100 | cat; echo a | xargs nosuch 2>/dev/null; echo $?; awk '{print} END{print "end"}' a none 2>/dev/null; echo $?; kill -l | head -2; trap -l | tail -1; date -d 'TZ="America/New_York" 2024-07-01 09:00' +%FT%TZ`,
  ],
  'what programs tell of files that they cannot read': [
    `mkdir d; exec 2>&1; head none; tail none; tac none; diff none none2; ls -z; cat d none; chmod zzz d; chmod 644; echo a | xargs nosuch; seq 1 | xargs sh -c 'exit 255'; echo "it's" | xargs; rm none; wc none; sort none`,
  ],
  'archives with modes, links and whole records': [
    "mkdir -p p/src; echo main > p/src/m.c; chmod 755 p/src/m.c; ln -s src p/l; tar -czf p.tgz p; tar -tzf p.tgz | sort; mkdir o; tar -xzf p.tgz -C o; diff -r p o/p && stat -c '%a %n' o/p/src/m.c; readlink o/p/l; tar -cf p.tar -C p . && tar -tf p.tar | sort; tar -xOf p.tar ./src/m.c; wc -c < p.tar; tar tvf p.tar | cut -c1-10 | sort; tar rf p.tar p.tgz; tar tf p.tar | tail -1; wc -c < p.tar; ./o/p/src/m.c 2> /dev/null; echo $?",
    "mkdir -p p/node_modules/x; echo 1 > p/node_modules/x/i.js; tar --exclude=node_modules -cvf p.tar p; echo 2 > p/a.js; tar --exclude='*.log' -cf q.tar p/a.js; tar -xvf q.tar --strip-components=1; tar xf q.tar nope 2> /dev/null; echo $?; tar tf q.tar --wildcards '*.js'; tar tf none 2> /dev/null; echo $?; tar tf p/a.js 2> /dev/null; echo $?; tar cf b.tar 2>&1; echo $?; tar cf b.tar none p/a.js 2> /dev/null; echo $?; tar czf - p/a.js | tar tf - 2> /dev/null; echo $?; tar czf - p/a.js | tar tzf -; tar cf b.tar b.tar a.js 2>&1; tar --foo 2> /dev/null; echo $?; tar f b.tar 2> /dev/null; echo $?; tar xkf b.tar 2>&1; echo $?; echo new > a.js; tar xf b.tar; cat a.js; tar -c -f z.tar --owner=0 --group=0 a.js; tar tvf z.tar | cut -d' ' -f2; tar caf a.tar.gz a.js; head -c2 a.tar.gz | od -An -tx1",
    "n=$(printf 'x%.0s' {1..120}); mkdir -p d/$n; echo deep > d/$n/file; ln -s $n d/short; tar cf l.tar d; tar tf l.tar | sort | cut -c1-20; rm -r d; tar xf l.tar; cat d/short/file; touch -d '2020-01-02 03:04' d/$n/file; chmod 640 d/$n/file; printf 'd/short\\n' > list; tar cf m.tar -T list; tar tvf m.tar | cut -c1; tar cf t.tar d; tar --list --verbose --file t.tar | grep file | awk '{print $1, $4, $5}'; umask 077; echo x > s; chmod 755 s; tar cf s.tar s; rm s; tar xpf s.tar; stat -c %a s",
  ],
}

const all = Object.entries(SCRIPTS).flatMap(([kind, scripts]) => scripts.map((script) => ({ kind, script })))

// In the default tier the first script of each kind: most of the time is that of the programs which bash starts.
for (const { kind, script } of sample(all, (one) => one.kind))
  test.skipIf(!existsSync(BASH))(`does what bash does with ${kind}: ${script}`, async () => {
    const { stdout, exitCode } = await inEngine(script)
    expect({ stdout, exitCode }).toEqual(inBash(script))
  })
