import { expect, test } from 'vitest'
import { openShell, run } from './open-shell.ts'

/** A command and the whole of its output, as POSIX and gawk have it. */
const COMMANDS: readonly (readonly [command: string, stdout: string, exitCode?: number])[] = [
  [`printf 'b 2\\na 1\\n' | awk '{print $1 | "sort"} END{close("sort"); print "done"}'`, 'a\nb\ndone\n'],
  [
    `awk 'BEGIN{printf "%e %E %i %5.2f|%-5d|%05d|%+d|%x|%o|%c%c|%5s|%-5s|%.2s|%%\\n", 12345.678, 0.00012, 42.9, 3.14159, 7, 42, 5, 255, 8, 65, "hello", "ab", "cd", "xyz"}'`,
    '1.234568e+04 1.200000E-04 42  3.14|7    |00042|+5|ff|10|Ah|   ab|cd   |xy|%\n',
  ],
  [
    `printf 'a b\\nc d\\n\\n\\ne f\\ng\\n' | awk 'BEGIN{RS=""}{print NR": "$1"-"$NF" "NF}'`,
    '1: a-d 4\n2: e-g 3\n',
  ],
  [
    `printf 'a b\\nc d\\n\\n\\ne f\\ng\\n' | awk 'BEGIN{RS="";FS="\\n"}{print NR": "$1"|"$2}'`,
    '1: a b|c d\n2: e f|g\n',
  ],
  [`printf 'x 1\\ny 2\\n' | awk '{print $2 > $1".txt"}'; cat x.txt y.txt`, '1\n2\n'],
  [`awk 'BEGIN{print ("10" < "9"), (10 < 9), ("abc" < "abd"), (1==1.0), ("1"==1)}'`, '1 0 1 1 1\n'],
  [`echo "10 9" | awk '{print ($1<$2), ($1>$2)}'`, '0 1\n'],
  [
    `awk 'BEGIN{printf "%d\\n", 2^53; print 2^53, 1e6, 1e20, 0.1+0.2, 100000*100000, 3.0, 1e-5}'`,
    '9007199254740992\n9007199254740992 1000000 100000000000000000000 0.3 10000000000 3 1e-05\n',
  ],
  [`awk 'BEGIN{print 1/0}'; echo $?`, '2\n'],
  [
    `printf 'a,b\\nc,d\\n' | awk -F, -v OFS=- '{$1=$1; print; NF=1; print; $4="z"; print; print NF}'`,
    'a-b\na\na---z\n4\nc-d\nc\nc---z\n4\n',
  ],
  [`printf 'a:b:c\\n' | awk -F: '{print $NF, $(NF-1), $1}'`, 'c b a\n'],
  [`awk -v 's=a\\tb' 'BEGIN{print s}'`, 'a	b\n'],
  [`echo 'a b c' | awk '{$2=""; print; print NF}'`, 'a  c\n3\n'],
  [`printf '1\\n2\\n3\\n4\\n5\\n' | awk 'NR==2,NR==4'`, '2\n3\n4\n'],
  [`printf '1\\nstart\\n2\\nend\\n3\\n' | awk '/start/,/end/{print NR, $0}'`, '2 start\n3 2\n4 end\n'],
  [`awk 'function f(n){return n<2?n:f(n-1)+f(n-2)} BEGIN{print f(15)}'`, '610\n'],
  [
    `awk 'function fill(a,n,  i){for(i=1;i<=n;i++)a[i]=i*i} BEGIN{fill(x,3); print x[1],x[2],x[3], length(x)}'`,
    '1 4 9 3\n',
  ],
  [
    `echo 'foo bar foo' | awk '{n=gsub(/foo/,"[&]"); print n, $0; sub(/bar/,"\\\\&"); print}'`,
    '2 [foo] bar [foo]\n[foo] & [foo]\n',
  ],
  [
    `awk 'BEGIN{s="hello world"; print substr(s,0,3), substr(s,-1,3), substr(s,7), substr(s,5,100), substr(s,2,0) "|"}'`,
    'hel hel world o world |\n',
  ],
  [
    `awk 'BEGIN{s="hello"; print substr(s,0,2), substr(s,1.9,2), substr(s,2.5,2.9), substr(s,2,0.5) "|" substr(s,9) "|" substr(s,"x",2)}'`,
    'he he el ||he\n',
  ],
  [
    `awk 'BEGIN{n=split("a:b:c",a,":"); print n,a[1],a[3]; n=split("",b); print n; n=split("a1b22c",c,/[0-9]+/); print n,c[2],c[3]; n=split("abc",d,""); print n,d[2]}'`,
    '3 a c\n0\n3 b c\n3 b\n',
  ],
  [
    `awk 'BEGIN{a["x"]=1;a["y"]=2; delete a["x"]; print ("x" in a), ("y" in a), length(a); delete a; print length(a)}'`,
    '0 1 1\n0\n',
  ],
  [
    `awk 'BEGIN{a[1,2]=3; if((1,2) in a) print "yes"; for(k in a){split(k,p,SUBSEP); print p[1],p[2]}}'`,
    'yes\n1 2\n',
  ],
  [
    `printf 'l1\\nl2\\n' > f; awk 'BEGIN{while((getline line < "f")>0) print "got",line; close("f"); getline < "f"; print $0}'`,
    'got l1\ngot l2\nl1\n',
  ],
  [`awk 'BEGIN{"echo hi" | getline x; print x; "date +%Y" | getline; print ($0>2000)}'`, 'hi\n1\n'],
  [`awk 'BEGIN{r=system("echo sys; exit 3"); print r}'`, 'sys\n3\n'],
  [
    `printf 'a\\nb\\n' > f1; printf 'c\\nd\\n' > f2; awk '{print FILENAME, FNR, NR, $0}' f1 f2`,
    'f1 1 1 a\nf1 2 2 b\nf2 1 3 c\nf2 2 4 d\n',
  ],
  [
    `printf 'k1 v1\\nk2 v2\\n' > m; printf 'k2 x\\nk3 y\\n' > d; awk 'NR==FNR{m[$1]=$2;next} $1 in m{print $0,m[$1]}' m d`,
    'k2 x v2\n',
  ],
  [`echo 5 | awk '{print $1*x, x==0, x=="", length(x)}' x=3`, '15 0 0 1\n'],
  [`echo a | awk '{print v}' v=1 - v=2`, '1\n'],
  [`FOO=bar awk 'BEGIN{print ENVIRON["FOO"]}'`, 'bar\n'],
  [
    `awk 'BEGIN{print length("héllo"), toupper("abc"), tolower("ABC"), index("hello","ll")}'`,
    '5 ABC abc 3\n',
  ],
  [
    `awk 'BEGIN{if(match("foobarbaz",/ba[rz]/)) print RSTART,RLENGTH; print match("x",/y/), RSTART, RLENGTH}'`,
    '4 3\n0 0 -1\n',
  ],
  [
    `awk 'BEGIN{print int(3.9), int(-3.9), sqrt(16), exp(0), log(1), sin(0), cos(0), atan2(0,-1)}'`,
    '3 -3 4 1 0 0 1 3.14159\n',
  ],
  [
    `awk 'BEGIN{x=5; x+=2; x-=1; x*=3; x/=2; x%=5; x^=2; print x; print x++ + ++x, x--, x}'`,
    '16\n34 18 17\n',
  ],
  [
    `awk 'BEGIN{print 2^3^2, -2^2, 2**3, !0, !1, !"", !"a", 1&&0, 1||0, 5%3, -5%3}'`,
    '512 -4 8 1 0 1 0 0 1 2 -2\n',
  ],
  [
    `awk 'BEGIN{i=0; do{print i; i++}while(i<3); for(;;){if(i++>5)break; if(i==5)continue; print "f"i}}'`,
    '0\n1\n2\nf4\nf6\n',
  ],
  [`printf '1\\n2\\n3\\n' | awk 'NR==2{next}{print} END{print NR}'`, '1\n3\n3\n'],
  [`printf '1\\n2\\n3\\n' | awk '{s+=$1} NR==2{exit 4} END{print s}'; echo $?`, '3\n4\n'],
  [`awk 'BEGIN{exit 3} END{print "end"}'; echo $?`, 'end\n3\n'],
  [`printf 'a b\\n' | awk '{print $1,$2; print $1 $2; print($1)($2); print $1" "$2}'`, 'a b\nab\nab\na b\n'],
  [`awk 'BEGIN { print 1,2 > "/dev/stderr"; print "x" > "/dev/stdout"}' 2>/dev/null`, 'x\n'],
  [`awk 'BEGIN{printf "%s %d\\n", "a"}'; echo $?`, '2\n'],
  [`awk 'BEGIN{printf "%*d|%-*d|%.*f\\n", 5, 42, 5, 42, 2, 3.14159}'`, '   42|42   |3.14\n'],
  [
    `printf 'a|b|c\\n' | awk -F'|' '{print $2}'; printf 'a.b.c\\n' | awk -F. '{print $3}'; printf 'a\\tb c\\n' | awk -F'\\t' '{print $2}'; printf 'a  b\\n' | awk -F' ' '{print $2}'; printf 'a1b2c\\n' | awk -F'[0-9]' '{print $1$2$3}'; printf 'a, b;c\\n' | awk -F'[,;] *' '{print $1$2$3}'`,
    'b\nc\nb c\nb\nabc\nabc\n',
  ],
  [
    `cat > p.awk <<'E'\n# comment\nfunction max(a, b) {\n  return a > b ? a : b\n}\n{ m = max(m, $1) }\nEND { print "max", m }\nE\nprintf '3\\n9\\n4\\n' | awk -f p.awk`,
    'max 9\n',
  ],
  [`printf 'x=1\\ny=2\\n' | awk -F= '{a[$1]=$2} END{for(k in a) print k, a[k] | "sort"}'`, 'x 1\ny 2\n'],
  [`printf 'b\\na\\nb\\n' | awk '!seen[$0]++'`, 'b\na\n'],
  [
    `printf 'a 1\\nb 2\\na 3\\n' | awk '{s[$1]+=$2; c[$1]++} END{for(k in s) printf "%s %d %.2f\\n", k, s[k], s[k]/c[k]}' | sort`,
    'a 4 2.00\nb 2 2.00\n',
  ],
  [`awk 'BEGIN{while(i<3){i++; if(i==2) continue; print i}}'`, '1\n3\n'],
  [`printf 'one two\\n' | awk '{for(i=NF;i>0;i--) printf "%s%s", $i, (i>1?OFS:ORS)}'`, 'two one\n'],
  [`printf '%s\\n' 1 2 3 | awk 'END{print NR, $0}'`, '3 3\n'],
  [`printf 'a\\nb\\nc\\n' | awk '{l[NR]=$0} END{for(i=NR;i>=1;i--)print l[i]}'`, 'c\nb\na\n'],
  [`printf 'a;b;c' | awk 'BEGIN{RS=";"}{print NR,$0}'`, '1 a\n2 b\n3 c\n'],
  [
    `printf 'GET /a 200 12\\nGET /b 404 3\\nPOST /a 200 5\\n' | awk '$3>=400{e++} $1=="GET"{g++} {b+=$4} END{print e+0,g,b; printf "%.1f%%\\n", e/NR*100}'`,
    '1 2 20\n33.3%\n',
  ],
  [
    `awk 'BEGIN{print substr("hello",2,3) > "o"; close("o"); while((getline l < "o")>0) print "r:" l}'`,
    'r:ell\n',
  ],
  [`awk 'BEGIN{print length()}' </dev/null; echo abc | awk '{print length, length $0}'`, '0\n3 3abc\n'],
  [`echo 'a b' | awk '{$3="c"; print NF; print; $0="x y z w"; print NF, $4}'`, '3\na b c\n4 w\n'],
  [`awk 'BEGIN{print 1==1?"t":"f"; print (2>1)?"y":"n"; x = 1 ? 2 ? "a" : "b" : "c"; print x}'`, 't\ny\na\n'],
  [`awk 'BEGIN{a="10";b=9; print (a>b), (a+0>b), a b}'`, '0 1 109\n'],
  [`echo '0x1A 010 1e3 .5 +3 abc' | awk '{print $2+0,$3+0,$4+0,$5+0,$6+0}'`, '10 1000 0.5 3 0\n'],
  [
    `awk 'BEGIN{OFMT="%.2f"; x=3.14159; print x, x ""; CONVFMT="%.3f"; print (x "")}'`,
    '3.14 3.14159\n3.142\n',
  ],
  [`awk 'BEGIN { if (!("a" in arr)) print "none"; arr["a"]; if ("a" in arr) print "some" }'`, 'none\nsome\n'],
  [
    `awk 'BEGIN{getline; print "first:" $0; while((getline l)>0) n++; print n}' <<< $'1\\n2\\n3'`,
    'first:1\n2\n',
  ],
  [`printf 'a\\n' | awk '{ print "q\\"uote\\\\ \\/ \\t|" }'`, 'q"uote\\ / 	|\n'],
  [`awk "BEGIN{print \\"it's\\"}"`, `it's\n`],
  [
    `awk 'BEGIN{s="a.b.c"; gsub(/\\./,"-",s); print s; gsub("[.-]","",s); print s; t="aaa"; print gsub(/x*/,"-",t), t}'`,
    'a-b-c\nabc\n4 -a-a-a-\n',
  ],
  [`echo 'path/to/file.txt' | awk -F/ '{n=split($NF,p,"."); print p[1], p[n]}'`, 'file txt\n'],
  [
    `awk 'BEGIN{printf "%5.1f|%-8s|%08.3f|%g|%g|%g\\n", 2.25, "ab", 3.14159, 1e10, 0.0001, 123456789}'`,
    '  2.2|ab      |0003.142|1e+10|0.0001|1.23457e+08\n',
  ],
  [
    `awk 'BEGIN{printf "%d %d\\n", "3abc", -3.7; printf "%s\\n", 1e300*1e300; print log(0)}'`,
    '3 -3\ninf\n-inf\n',
  ],
  [`printf 'a b c\\n' | awk '{print NF; NF=2; print $0; print NF}'`, '3\na b\n2\n'],
  [`echo "x" | awk '{print; print $0; print($0)}' OFS=-`, 'x\nx\nx\n'],
  [
    `awk 'BEGIN{print index("abc",""); print "a" > "/dev/null"; print toupper(substr("word",1,1)) substr("word",2)}'`,
    '1\nWord\n',
  ],
  [`printf 'a b\\n' | awk '{ $(NF+2)="d"; print; print NF }'`, 'a b  d\n4\n'],
  [
    `awk '\nBEGIN {\n  x["a"] = 1\n  for (k in x)\n    if (k == "a")\n      print "A"\n    else\n      print "other"\n  n = 3\n  while (n --> 0)\n    printf("%d ", n)\n  printf "\\n"\n}\n'`,
    'A\n2 1 0 \n',
  ],
  [
    `awk 'BEGIN{if(1)print "a";else print "b"; if(0){print "c"}else if(1){print "d"}else{print "e"}}'`,
    'a\nd\n',
  ],
  [`printf '1,2\\n3,4\\n' | awk 'BEGIN{FS=",";OFS="\\t"}{t=$1;$1=$2;$2=t}1'`, '2	1\n4	3\n'],
  [`ls nonexist 2>/dev/null; awk '{print}' nonexist; echo $?`, '2\n'],
  [`awk 'BEGIN{print "unclosed'; echo $?`, '1\n'],
  [`awk 'BEGIN{print substr("hello", 2)' 2>/dev/null; [ $? -ne 0 ] && echo err`, 'err\n'],
  [`awk 'BEGIN { a = "x"; a = a "y" a; print a; print a == "xyx" }'`, 'xyx\n1\n'],
  [`printf 'aXbXc\\n' | awk 'BEGIN{FS="X"} {print $1,$3; FS="b"; print $1}'`, 'a c\na\n'],
  [`printf '10\\n9\\n100\\n' | awk '$1>m{m=$1} END{print m}'`, '100\n'],
  [`awk 'BEGIN { "pwd" | getline d; n=split(d,a,"/"); print (n>1) }'`, '1\n'],
  [
    `printf 'h1,h2\\n1,2\\n3,4\\n' | awk -F, 'NR==1{for(i=1;i<=NF;i++)h[i]=$i;next}{for(i=1;i<=NF;i++)printf "%s=%s%s",h[i],$i,i<NF?",":"\\n"}'`,
    'h1=1,h2=2\nh1=3,h2=4\n',
  ],
  [
    `echo 'a b c d' | awk '{print $1, $2 > "o1"; print $3 >> "o1"; close("o1")} END{while((getline l<"o1")>0)print "["l"]"}'`,
    '[a b]\n[c]\n',
  ],
  [
    `awk 'BEGIN { printf "%s\\n", substr("x", 1, 1) == "x" ? "eq" : "ne"; print -3 % 2; print 7 / 2; print 1e3 == 1000 }'`,
    'eq\n-1\n3.5\n1\n',
  ],
  [`awk 'function g(a){a["k"]="v"} BEGIN{g(z); for(i in z) print i, z[i]}'`, 'k v\n'],
  [`awk 'function h(x){x=5; return} BEGIN{y=1; h(y); print y; print h(1) "|"}'`, '1\n|\n'],
  [
    `printf 'ab12cd\\n' | awk '/^[a-z]+[0-9]{2}/{print "m"} $0 !~ /zz/{print "n"} $0 ~ "c" "d"{print "o"}'`,
    'm\nn\no\n',
  ],
  [
    `printf 'a.b\\n' | awk '{ if ($0 ~ "a\\\\.b") print "dyn"; if ($0 ~ /a\\.b/) print "lit" }'`,
    'dyn\nlit\n',
  ],
]

for (const [command, stdout, exitCode = 0] of COMMANDS)
  test(`gives what awk gives: ${command}`, async () => {
    const result = await run(await openShell({ cwd: '/work', env: [['TZ', 'UTC']] }), command)
    expect(result.slice(0, 2)).toEqual([exitCode, stdout])
  })
