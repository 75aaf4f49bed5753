import { ARITHMETIC_MENDS } from './arithmetic-mends.ts'
import { STREAM_MENDS } from './stream-mends.ts'
import { TOLD_MENDS } from './told-mends.ts'
import { FIRST_ELEMENT_MEND, LOCAL_MEND, NAMEREF_MEND } from './variable-mends.ts'
import { WORD_MENDS } from './word-mends.ts'

/** A fault of just-bash's, and the places of its bundle that are changed for it. */
interface Mend {
  /** What it does without them. */
  readonly fault: string
  /** Texts that stand there once each, and what stands there instead. */
  readonly places: readonly (readonly [from: string, to: string])[]
}

/** What the mended places call: `$text`, `$bytes` and `$size` of `text/bytes.ts`, `$paths` of `files/matching-paths.ts`, `$arithmetic` and `$arithmeticEnd` of `text/is-arithmetic.ts`, `$keys` of `text/key-order.ts`, `$mapfile` of `text/mapfile-words.ts`, `$split` of `text/split-words.ts`, `$behind`, `$bracesAt`, `$closingBrace` and `$alternatives` of `text/braces.ts`, `$calculate` and `$integer` of `arithmetic/exact.ts`. */
export const MENDS: readonly Mend[] = [
  {
    fault: '`*/` gives files as well, `**` few of the paths, and `*/*` under `dotglob` gives `..`.',
    places: [['async expand(t){', 'async expand(t){return $paths(this,t);']],
  },
  {
    fault: '`nocaseglob` changes nothing.',
    places: [
      [
        'let i=r?.get("GLOBIGNORE");',
        'this.nocase=/(?:^|:)nocaseglob(?::|$)/.test(r?.get("BASHOPTS")??"");let i=r?.get("GLOBIGNORE");',
      ],
    ],
  },
  {
    fault:
      'An index or a loop knows few forms of `${…}`, and takes the digits at the beginning for its value: `a[${x#0}]` is `a[0]`.',
    places: [
      [
        'async function us(e,t){',
        'async function us(e,t){if(t==="#@"||t==="#*")return ie(e,"#");if(!/^#?\\w+$/.test(t))return rf(e,`"\\${${t}}"`);',
      ],
      [
        'case"ArithBracedExpansion":{let i=await us(e,t.content);return Number.parseInt(i,10)||0}',
        'case"ArithBracedExpansion":{let i=(await us(e,t.content)).trim();return/^(-?[1-9]\\d{0,14}|0?)$/.test(i)?Number(i):s(On(new Q,i,0).expr)}',
      ],
    ],
  },
  {
    fault:
      'The key of a map that `(( ))` changes is computed where it is `${…}`: `((m[${k%x}]++))` counts at 0.',
    places: [
      [
        'else if(t.operand.index){let f=await s(t.operand.index);l=String(f)}',
        'else if(a&&t.operand.index?.type==="ArithBracedExpansion")l=await us(e,t.operand.index.content);else if(t.operand.index){if(a&&t.operand.index.type!=="ArithNumber")throw new ce(`${o}: a key of this form is not known in (( )): put it into a variable, and write ${o}[$key]`);let f=await s(t.operand.index);l=String(f)}',
      ],
      [
        'else if(d){let p=await s(t.subscript);a=String(p)}',
        'else if(d&&t.subscript.type==="ArithBracedExpansion")a=await us(e,t.subscript.content);else if(d){if(t.subscript.type!=="ArithNumber")throw new ce(`${i}: a key of this form is not known in (( )): put it into a variable, and write ${i}[$key]`);let p=await s(t.subscript);a=String(p)}',
      ],
    ],
  },
  {
    fault:
      'The base of a number is lost before a parameter: `for ((i=10#$n; …))` and `${a[10#$n]}` begin at 0.',
    places: [
      [
        'return{expr:{type:"ArithNumber",value:or(c)},pos:s}}if(t[s]==="$"&&t[s+1]==="{")',
        'return{expr:{type:"ArithNumber",value:or(c),base:c.endsWith("#")?c:void 0,digits:/^(?:[1-9]\\d{15,}|0[xX][0-9a-fA-F]{13,})$/.test(c)?c:void 0},pos:s}}if(t[s]==="$"&&t[s+1]==="{")',
      ],
      ['case"ArithNumber":return String(t.value);', 'case"ArithNumber":return t.base??String(t.value);'],
      [
        '.test(i)?await Hi(e,i,r):Number.parseInt(i,10)||0}case"ArithDynamicAssignment"',
        '.test(i)?await Hi(e,i,r):/^\\d+#/.test(i)?or(i):Number.parseInt(i,10)||0}case"ArithDynamicAssignment"',
      ],
    ],
  },
  {
    fault: '`time` knows no `TIMEFORMAT`.',
    places: [
      [
        'k;t.timePosix?k=',
        'k,$f=e.state.env.get("TIMEFORMAT"),$in=($s,$d,$l)=>$l?`${Math.floor($s/60)}m${($s%60).toFixed($d)}s`:$s.toFixed($d);!t.timePosix&&$f!==void 0?k=$f===""?"":$f.replace(/%(?:(%)|P|(\\d?)(l?)([RUS]))/g,($w,$p,$d,$l,$n)=>$p||($n===void 0?"0.00":$in($n==="R"?y:0,Math.min(3,$d===""?3:Number($d)),$l)))+"\\n":t.timePosix?k=',
      ],
    ],
  },
  {
    fault: 'The keys of a map are sorted, where bash lists them as its hash table has them.',
    places: [
      [
        'function Et(e,t){return Array.from(Pe(e,t)?.elements.keys()??[]).sort()}',
        'function Et(e,t){return $keys(Pe(e,t)?.elements.keys()??[])}',
      ],
    ],
  },
  {
    fault:
      'A name with a line break matches no pattern, and a pattern that is the name of a file matches nothing else.',
    places: [
      ['return ge(`^${n}$`)}', 'return ge(`^${n}$`,"s")}'],
      [
        'if(c.length>0&&c[0]!==a)return{values:c,quoted:!1}',
        'if(c.length>1||c.length===1&&c[0]!==a)return{values:c,quoted:!1}',
      ],
    ],
  },
  {
    fault: 'Text becomes bytes by one string for each: 8 MiB through a group take 2 s, or the heap.',
    places: [
      [
        'd as Vf,e as Tt,f as Xs,g as vn,h as zf,i as xt,j as Ys,k as Uf,l as jf}from"./chunks/chunk-GN6CQ3J4.js";',
        'd as Vf,f as Xs,g as vn,h as zf,k as Uf,l as jf}from"./chunks/chunk-GN6CQ3J4.js";var Tt=$bytes,xt=e=>zf(e)==="bytes"?e.stdout:$bytes(e.stdout),Ys=e=>zf(e)==="bytes"?$text(e.stdout):e.stdout;',
      ],
    ],
  },
  {
    fault: '`read` and `mapfile` take bytes for characters: `é` has two. `read` keeps NUL bytes.',
    places: [
      ['S===`\n`&&v.endsWith(`\n`)', 'v=$text(v).replaceAll("\\0",""),S===`\n`&&v.endsWith(`\n`)'],
      ['"string_length");f.push(g)};', '"string_length");f.push($text(g))};'],
    ],
  },
  {
    fault:
      'A command with an empty input of its own, as in `cat < /dev/null`, reads that of the loop or group around it. `read` refuses elements of arrays.',
    places: [
      ['{...await pf(c,t,n,s,o),internalP', '{...await pf(c,t,n,s,o,l),internalP'],
      ['async function pf(e,t,n,r,s){', 'async function pf(e,t,n,r,s,$own){'],
      ['let d=r||i.state.groupStdin||"",', 'let d=$own?r:r||i.state.groupStdin||"",'],
      [
        'if(t==="read")return qo(c,n,s,a);if(t==="mapfile"||t==="readarray")return jo(c,n,s);',
        'if(t==="read")return qo(c,n,s,a,l);if(t==="mapfile"||t==="readarray")return jo(c,n,s,l);',
      ],
      [
        'function qo(e,t,n,r=-1){',
        'async function qo(e,t,n,r=-1,$own=!1){let $elements=[],$words=t.map(($word,$at)=>{let[,$array,$key]=/^([a-zA-Z_]\\w*)\\[(.+)\\]$/s.exec($word)??(Ne(e,$word)&&!/^-\\w*a$/.test(t[$at-1])&&!e.state.associativeArrays?.has($word)?["",$word,"0"]:[]);return $key===void 0?$word:`__read${$elements.push([$aim(e,$array),$key])}`}),$result=$read(e,$words,n,r,$own);for(let[$at,[$array,$key]]of $elements.entries()){let $name=`__read${$at+1}`,$value=e.state.env.get($name);if(e.state.env.delete($name),$value===void 0)continue;if(e.state.associativeArrays?.has($array)){Z(e,$array,$key,$value,"associative");continue}let $index=await na(e,$array,$key);if($index.error)return $index.error;Z(e,$array,$index.index,$value,"indexed")}return $result}function $read(e,t,n,r=-1,$own=!1){',
      ],
      ['else!b&&e.state.groupStdin!==void 0&&(b=', 'else!$own&&!b&&e.state.groupStdin!==void 0&&(b='],
      [
        'r>=0?tn(e,r,_):e.state.groupStdin!==void 0&&!n&&',
        'r>=0?tn(e,r,_):!$own&&e.state.groupStdin!==void 0&&!n&&',
      ],
      [
        'function jo(e,t,n){',
        'function jo(e,t,n,$own=!1){let $words=$mapfile(t);if(typeof $words==="string")return L("",$words,2);t=$words;',
      ],
    ],
  },
  {
    fault:
      '`mapfile -n` takes the whole input, and `-u`, `-C` and letters together, as in `-tn 2`, are ignored.',
    places: [
      ['l="MAPFILE",c=0;', 'l="MAPFILE",c=0,$fd=-1;'],
      ['g==="-u"||g==="-C"||g==="-c"?c+=2', 'g==="-u"?($fd=Number(t[c+1]),c+=2):g==="-C"||g==="-c"?c+=2'],
      [
        'let u=n;!u&&e.state.groupStdin!==void 0&&(u=e.state.groupStdin);',
        'let u=n;if($fd>0){let $from=Cs(e,$fd);if("error"in $from)return L("",`bash: mapfile: ${t[t.indexOf("-u")+1]}: invalid file descriptor: Bad file descriptor\n`,1);u=$from.content}else !$own&&!u&&e.state.groupStdin!==void 0&&(u=e.state.groupStdin);',
      ],
      [
        'for(;d<u.length;){e.executionScope.consumeWork(1,"mapfile input")',
        'for(;d<u.length&&!(s>0&&p>=s);){e.executionScope.consumeWork(1,"mapfile input")',
      ],
      ['w(v),p++}}break}', 'w(v),p++}}d=u.length;break}'],
      [
        'return e.state.groupStdin!==void 0&&!n&&(e.state.groupStdin=""),{...L("","",0),internalStdinConsumed:u.length}',
        'return $fd>0?tn(e,$fd,d):!$own&&e.state.groupStdin!==void 0&&!n&&(e.state.groupStdin=u.slice(d)),{...L("","",0),internalStdinConsumed:$fd>0?0:d}',
      ],
    ],
  },
  {
    fault: '`read -n` and `-N` count bytes. With `-rB`, which only rewritten scripts have, they still do.',
    places: [
      ['A(oe),T++,_++,N=T', 'oe=b.slice(T,T+$size(b,T)),A(oe),T+=oe.length,_++,N=T'],
      [
        'let _=Math.min(l,b.length);v=b.substring(0,_),C(v),N=_,P=_>=l,$(N);',
        'let _=0,$left=l,$kept="";while($left>0&&_<b.length){if(!s&&b[_]==="\\\\"){if(b[_+1]==="\\n"){_+=2;continue}if(++_>=b.length)break}let $next=_+(t[0]==="-rB"?1:$size(b,_));$kept+=b.substring(_,$next);_=$next;$left--}v=$text($kept),C(v),N=_,P=$left===0,$(N);',
      ],
    ],
  },
  {
    fault: 'Input of other descriptors than 0 is text, which `cat <&3` takes for bytes.',
    places: [
      [
        'lt(e,C,{kind:"input",content:A}),e.state.env.set(y.fdVariable',
        'lt(e,C,{kind:"input",content:Tt(A)}),e.state.env.set(y.fdVariable',
      ],
      ['lt(e,S,{kind:"input",content:A})}else', 'lt(e,S,{kind:"input",content:Tt(A)})}else'],
      ['let C={kind:"input",content:A};', 'let C={kind:"input",content:Tt(A)};'],
      ['P={kind:"input",content:`${v}\n`}', 'P={kind:"input",content:Tt(`${v}\n`)}'],
      ['lt(e,A,{kind:"input",content:`${v}\n`})', 'lt(e,A,{kind:"input",content:Tt(`${v}\n`)})'],
      ['{entry:{kind:"input",content:s}}', '{entry:{kind:"input",content:await vn(e.fs,r)}}'],
    ],
  },
  {
    fault: 'An assignment leaves the status of the command before: `set -e; f || status=$?` ends the script.',
    places: [
      [
        'let s=await nf(this.ctx,t);if(s.error)return s.error;',
        't.name||this.ctx.state.env.set("?","");let s=await nf(this.ctx,t);if(s.error)return s.error;',
      ],
      [
        'this.ctx.state.expansionStderr="",L("",P,this.ctx.state.lastExitCode)}',
        'this.ctx.state.expansionStderr="",L("",P,t.assignments.length===0||t.keepsStatus||this.ctx.state.env.get("?")!==""?this.ctx.state.lastExitCode:0)}',
      ],
      [
        'let V=L("",o,0),q=await rn(',
        'let V=L("",o,t.assignments.length>0&&(t.keepsStatus||this.ctx.state.env.get("?")!=="")?this.ctx.state.lastExitCode:0),q=await rn(',
      ],
      [
        'R.standardRoutes);return $.finish(),q}',
        'R.standardRoutes);$.finish(),q.stderr=(this.ctx.state.expansionStderr||"")+q.stderr,this.ctx.state.expansionStderr="";return q}',
      ],
    ],
  },
  {
    fault: '`$( )` keeps NUL bytes.',
    places: [
      ['let w=m.replace(', 'let w=m.replaceAll("\\0","").replace('],
      ['let m=p.stdout.replace(', 'let m=p.stdout.replaceAll("\\0","").replace('],
      ['let h=p.stdout.replace(', 'let h=p.stdout.replaceAll("\\0","").replace('],
    ],
  },
  {
    fault:
      'Output that is bytes and messages that are text are joined as they are: `cat a b 2>&1`, `cat f >&2`.',
    places: [
      ['case"live-stdout":l+=A;', 'case"live-stdout":l+=!N&&d==="binary"?$bytes(A):A;'],
      ['case"live-stderr":c+=A;', 'case"live-stderr":c+=N&&d==="binary"?$text(A):A;'],
      ['let A=S+v;', 'let A=S+(d==="binary"?$bytes(v):v);'],
      ['v=B(g.stdout)', 'v=d==="binary"?g.stdout.length:B(g.stdout)'],
    ],
  },
  {
    fault: "`$'\\xff'` is the character U+00FF, and no byte.",
    places: [
      ['function bd(e){', 'function bd(e){return $text(Array.from(e,$c=>String.fromCharCode($c)).join(""));'],
    ],
  },
  {
    fault:
      'Whatever has a name runs. What refuses is asked by the way of `coverage`: see `rules/command-rules.ts`.',
    places: [
      [
        'v=await this.runCommand(u,f,d,n,!1,!1,g,y)',
        'v=(t.own===u?void 0:this.ctx.coverage?.refuseWord?.(u))??await this.runCommand(u,f,d,n,!1,!1,g,y)',
      ],
      [
        'runCommand:(d,p,h,m,w,b,g,y)=>this.runCommand(d,p,h,m,w,b,g,y)',
        'runCommand:async(d,p,h,m,w,b,g,y)=>this.ctx.coverage?.refuseWord?.(d)??this.runCommand(d,p,h,m,w,b,g,y)',
      ],
      [
        'if("script"in c)return',
        'if("script"in c){let $no=await i.coverage?.refuseFile?.(c.path);if($no)return $no}if("script"in c)return',
      ],
      ['{cmd:u,path:f}=c;', '{cmd:u,path:f}=c,$no=i.coverage?.refuseProgram?.(u.name);if($no)return $no;'],
    ],
  },
  {
    fault: 'A `$` that names nothing is parsed without end in arithmetic: `$(( a[$ ))`, `n=$; (( n + 1 ))`.',
    places: [
      [
        '{expr:a,pos:l}=sl(e,t,s,!0);i.push(a),s=l}',
        '{expr:a,pos:l}=sl(e,t,s,!0);if(l===s)return je(t.slice(s),t.length);i.push(a),s=l}',
      ],
    ],
  },
  {
    fault:
      "An expression that cannot be computed counts as 0 in an index, in `declare -i` and behind `||`: `n='1 || $'; echo $((n))`.",
    places: [
      [
        'function je(e,t){',
        'function $wrong(e){if(e.type==="ArithSyntaxError")return e;for(let t of Object.values(e))if(t&&typeof t==="object"){let n=$wrong(t);if(n)return n}}function $end(e){throw e instanceof ce?new G(1,"",`bash: ${e.message}\n`):e}function $sound(e){let t=$whole(e);if(t!==e)throw new ce(t.message);return e}function $compute(...e){return Y(...e)}function $whole(e){return JSON.stringify(e).includes("ArithSyntaxError")?$wrong(e)??e:e}function je(e,t){',
      ],
      [
        'return{type:"ArithmeticExpression",expression:r,originalText:t}}',
        'return{type:"ArithmeticExpression",expression:$whole(r),originalText:t}}',
      ],
      [
        'return{expr:{type:"ArithNumber",value:0},pos:s}}var qr=',
        'return s<t.length?je(t.slice(s),t.length):{expr:{type:"ArithNumber",value:0},pos:s}}var qr=',
      ],
      ['"","")}return await Ln(e,o,!1,n)}', '"","")}return await Ln(e,$sound(o),!1,n)}'],
      [
        '(error token is "${u}")`)}return await Ln(e,a,!1,n)}',
        '(error token is "${u}")`)}return await Ln(e,$sound(a),!1,n)}',
      ],
      [
        'catch{let f=e.state.env.get(a);c=f?Number.parseInt(f,10):0,Number.isNaN(c)&&(c=0)}if(c<0){let f=K(e,o),d=',
        'finally{}if(c<0){let f=K(e,o),d=',
      ],
      [
        'catch{let l=e.state.env.get(i);a=l?Number.parseInt(l,10):0,Number.isNaN(a)&&(a=0)}if(a<0){let l=K(e,s);',
        'finally{}if(a<0){let l=K(e,s);',
      ],
      [
        'r=re(n,t),s=await Y(e,r.expression);return String(s)}catch{return"0"}',
        'r=re(n,t),s=await Y(e,r.expression);return String(s)}catch($e){$end($e)}',
      ],
      [
        'c=String(await Y(e,d.expression))}}catch{c="0"}else',
        'c=String(await Y(e,d.expression))}}catch($e){$end($e)}else',
      ],
    ],
  },
  {
    fault: 'An error in `for ((…))` ends the script.',
    places: [
      [
        'async function vm(e,t){let n=t.line;',
        'async function vm(e,t){let Y=async(...$e)=>{try{return await $compute(...$e)}catch($n){throw $n instanceof ce?{$for:$n.message}:$n}};let n=t.line;',
      ],
      [
        't.init&&await Y(e,t.init.expression),e.state.loopDepth++;try{for(;',
        'e.state.loopDepth++;try{t.init&&await Y(e,t.init.expression);for(;',
      ],
      [
        't.update&&await Y(e,t.update.expression)}}finally{e.state.loopDepth--}return r.build(s)}async function wf(',
        't.update&&await Y(e,t.update.expression)}}catch($e){if($e?.$for===void 0)throw $e;return r.append("",`bash: ((: ${$e.$for}\n`),r.build(1)}finally{e.state.loopDepth--}return r.build(s)}async function wf(',
      ],
    ],
  },
  {
    fault: 'Every script is parsed, also one whose tree is there: `nextScript` gives it.',
    places: [
      [
        'let S=Ge(w,{maxHeredocSize:this.limits.maxHeredocSize}),v;',
        'let S=this.nextScript?.()??Ge(w,{maxHeredocSize:this.limits.maxHeredocSize}),v;',
      ],
    ],
  },
  {
    fault:
      'A command that stands before one of just-bash pays for the context of that one, also where it does not run it.',
    places: [
      [
        'if(w){let v=Object.getOwnPropertyDescriptors(m);',
        'if(w){m.origCommand=$words=>{let v=Object.getOwnPropertyDescriptors(m);',
      ],
      [
        'b=A.revoke,m.origCommand=N=>{let P=()=>w.execute(N,C);return w.trusted?Ce.runTrustedAsync(P):Ce.runUntrustedAsync(P)}}',
        'let $before=b;b=()=>{$before(),A.revoke()};let P=()=>w.execute($words,C);return w.trusted?Ce.runTrustedAsync(P):Ce.runUntrustedAsync(P)}}',
      ],
    ],
  },
  {
    fault:
      '`set -u` ends a script outside of compound commands, functions and `eval` alone; `[[ ]]`, `(( ))` and `let` take no end.',
    places: [
      ['f as Ve,g as G,', 'g as G,'],
      [
        'o as Or,p as st}from"./chunks/chunk-EFORKKSH.js";',
        'o as Or,p as st}from"./chunks/chunk-EFORKKSH.js";class Ve extends G{constructor(e,t=""){let $name=/^\\d/.test(e)?"$"+e:e;super(1,t,`bash: ${$name}: unbound variable\n`),this.name="NounsetError",this.message=`${$name}: unbound variable`}}',
      ],
      [
        'catch(n){return D(`bash: arithmetic expression',
        'catch(n){if(n instanceof G)throw n;return D(`bash: arithmetic expression',
      ],
      [
        'catch(n){let r=n instanceof ce?1:2;',
        'catch(n){if(n instanceof G)throw n;let r=n instanceof ce?1:2;',
      ],
      ['catch(i){return D(`bash: let: ${s}', 'catch(i){if(i instanceof G)throw i;return D(`bash: let: ${s}'],
    ],
  },
  {
    fault: '`"${x:=word}"` ends a script under `set -u`.',
    places: [['u=await ie(e,l),f=u===""', 'u=await ie(e,l,!1),f=u===""']],
  },
  {
    fault: 'What a function has printed that ends the script is not redirected with its call: `usage >&2`.',
    places: [
      [
        'k=P,v=ne;else throw P}',
        'k=P,v=ne;else{P instanceof kn&&t.redirections.length>0&&await go(this.ctx,P,t.redirections,b);throw P}}',
      ],
    ],
  },
  {
    fault: '`SECONDS=0` leaves `$SECONDS` as it is, and stops the clock of `((SECONDS))`.',
    places: [
      [
        'c=jn(e,a,c),o+=await tf(e,a,c);let u;',
        'c=jn(e,a,c),o+=await tf(e,a,c);if(a==="SECONDS"&&!t.name)return e.state.startTime=Date.now()-1e3*(Number.parseInt(c,10)||0),{continueToNext:!1,xtraceOutput:o};let u;',
      ],
      ['function aa(e){let t={env:e.env,', 'function aa(e){let t={startTime:e.startTime,env:e.env,'],
    ],
  },
  {
    fault: 'A key of an associative array may be empty.',
    places: [
      [
        'if(l)c=await rf(e,r);else{',
        'if(l){if((c=await rf(e,r))==="")return{continueToNext:!1,xtraceOutput:"",error:L("",`bash: ${n}[${r}]: bad array subscript\\n`,1)}}else{',
      ],
    ],
  },
  {
    fault:
      '`set -e` takes no end from a function, `eval` or substitution that ends with `a && b` or `! a`, and takes one from a loop.',
    places: [
      [
        'a=this.ctx.state.errexitSafe;',
        'a=this.ctx.state.errexitSafe&&s>=0&&t.pipelines[s].commands.length===1&&/^(?:Group|If|For|CStyleFor|While|Until|Case)$/.test(t.pipelines[s].commands[0].type)&&!t.pipelines[s].commands[0].toJSON;',
      ],
      ['async function km(e,t,n,r){', 'async function km(e,t,n,r,$excused=!1){'],
      [
        'if(c!==0)break;try{for(let p of t.body){let h=await e.executeStatement(p);s.append(h.stdout,h.stderr),i=h.exitCode}}',
        'if(c!==0)break;try{for(let p of t.body){let h=await e.executeStatement(p);s.append(h.stdout,h.stderr),i=h.exitCode}$excused=e.state.errexitSafe}',
      ],
      [
        'return s.build(i)}async function Ef',
        'e.state.errexitSafe=$excused;return s.build(i)}async function Ef',
      ],
      ['async function Pm(e,t,n,r){', 'async function Pm(e,t,n,r,$excused=!1){'],
      [
        's.append(f.stdout,f.stderr),i=f.exitCode}}',
        's.append(f.stdout,f.stderr),i=f.exitCode}$excused=e.state.errexitSafe}',
      ],
      [
        'return s.build(i)}async function bf',
        'e.state.errexitSafe=$excused;return s.build(i)}async function bf',
      ],
    ],
  },
  {
    fault: '`trap … ERR`, `set -E` and signals of a script to itself do nothing.',
    places: [
      [
        'if(this.ctx.state.errexitSafe=o||i||a,this.ctx.state.options.errexit&&r!==0&&s===t.pipelines.length-1&&!i&&!this.ctx.state.inCondition&&!a){',
        'let $failed=r!==0&&s===t.pipelines.length-1&&!i&&!this.ctx.state.inCondition&&!a;if(this.ctx.coverage?.isInterrupted?.()&&await this.$interrupt(t,n,r,$failed),this.ctx.state.errexitSafe=o||i||a,this.ctx.state.options.errexit&&$failed){',
      ],
      [
        'async executePipeline(t){',
        'async $interrupt(t,n,r,s){let $run=this.ctx.coverage.interruption(this.ctx.state,t,s);if($run===void 0)return;try{for(let $one of $run.statements){let $result=await this.executeStatement($one);n.appendResult($result,Ys($result))}}catch($e){throw n.prependTo($e),$e}finally{$run.end()}this.ctx.state.lastExitCode=r,this.ctx.state.env.set("?",String(r))}async executePipeline(t){',
      ],
      ['["E",null]', '["E","errtrace"]'],
      ['["errtrace",null]', '["errtrace","errtrace"]'],
      ['"vi","emacs"],qu=["braceexpand","errtrace",', '"vi","emacs","errtrace"],qu=["braceexpand",'],
      ['sd=["allexport","errexit",', 'sd=["allexport","errexit","errtrace",'],
      ['emacs:!1},shoptOptions:', 'emacs:!1,errtrace:!1},shoptOptions:'],
    ],
  },
  {
    fault: '`[ a b ]` and `[ x -eq 1 ]` say nothing, and `return` outside of a function has status 1.',
    places: [
      [
        'D(`test: ${r}: unary operator expected\n`,2):L("","",1)}',
        'D(`bash: [: ${r}: unary operator expected\n`,2):D(`bash: [: ${r}: unary operator expected\n`,2)}',
      ],
      [
        'return!o.valid||!a.valid?L("","",2):',
        'return!o.valid||!a.valid?D(`bash: [: ${o.valid?i:r}: integer expression expected\n`,2):',
      ],
      ['from a function or sourced script\\n");let n', 'from a function or sourced script\\n",2);let n'],
    ],
  },
  {
    fault: '`declare -p` of an associative array is written as no bash writes it.',
    places: [
      ['function $o(e){return Ae(e)}', 'function $o(e){return sn(e)}'],
      ['function Co(e){return`', 'function Co(e){return/^[\\w.-]+$/.test(e)?e:sn(e);return`'],
      ['`declare -A ${i}=(${f.join(" ")})\n`', '`declare -A ${i}=(${f.join(" ")} )\n`'],
      ['`declare -A ${f}=(${g.join(" ")})\n`', '`declare -A ${f}=(${g.join(" ")} )\n`'],
      ['`declare -A ${r}=(${i.join(" ")})\n`', '`declare -A ${r}=(${i.join(" ")} )\n`'],
    ],
  },
  {
    fault: 'A loop that `break` or `continue` has ended has the status of the command before it.',
    places: [
      [
        'if(n.replace(l.stdout,l.stderr),l.action==="break")break;',
        'if(n.replace(l.stdout,l.stderr),/^[bc]/.test(l.action)&&(r=0),l.action==="break")break;',
      ],
      [
        'if(r.replace(a.stdout,a.stderr),a.action==="break")break;',
        'if(r.replace(a.stdout,a.stderr),/^[bc]/.test(a.action)&&(s=0),a.action==="break")break;',
      ],
      [
        'if(s.replace(h.stdout,h.stderr),h.action==="break")break;',
        'if(s.replace(h.stdout,h.stderr),/^[bc]/.test(h.action)&&(i=0),h.action==="break")break;',
      ],
      [
        'if(s.replace(f.stdout,f.stderr),f.action==="break")break;',
        'if(s.replace(f.stdout,f.stderr),/^[bc]/.test(f.action)&&(i=0),f.action==="break")break;',
      ],
    ],
  },
  {
    fault: '`((x -= 1))` and `((a - b >= 1))` are subshells in subshells.',
    places: [
      ['looksLikeNestedSubshells(t){', 'looksLikeNestedSubshells(t){return!$arithmetic(this.input,t);'],
    ],
  },
  {
    fault:
      '`exit` in a trap has the status of the command before it, and not of the command before the trap.',
    places: [
      [
        'if(t.length===0)n=e.state.lastExitCode;',
        'if(t.length===0)n=e.state.statusBeforeTrap??e.state.lastExitCode;',
      ],
    ],
  },
  {
    fault: 'A shell inside of a script has no time limit of its own, as `timeout` gives one.',
    places: [
      [
        'this.ctx.state.signal?.aborted)throw new ze;',
        'this.ctx.state.signal?.aborted)throw new ze;if(this.ctx.coverage?.isOver?.())throw new G(124);',
      ],
    ],
  },
  {
    fault: 'What a loop or `elif` had printed is lost where its next condition ends the script.',
    places: [
      [
        'else throw e.state.inCondition=d,p}finally',
        'else throw e.state.inCondition=d,p.prependOutput?.(s.stdout,s.stderr),p}finally',
      ],
      [
        'let c=await ra(e,t.condition);',
        'let c=await ra(e,t.condition).catch($left=>{throw $left.prependOutput?.(s.stdout,s.stderr),$left});',
      ],
      [
        'let s=await ra(e,r.condition);',
        'let s=await ra(e,r.condition).catch($left=>{throw $left.prependOutput?.(n.stdout,n.stderr),$left});',
      ],
    ],
  },
  {
    fault: 'The whole output is decoded once more: `Ã©` becomes `é`.',
    places: [['t.stdout=_f(t.stdout),t.stderr=_f(t.stderr),t', 't']],
  },
  {
    fault: 'BASH_SOURCE knows no file that runs or is sourced, FUNCNAME no `main` and no `source`.',
    places: [
      ['t.sourceFile??e.state.currentSource??"main"', 't.sourceFile??e.state.currentSource??"environment"'],
      ['unshift(t.sourceFile??"main")', 'unshift(t.sourceFile??"environment")'],
      [
        'async function Xo(e,t){',
        'function $frames(e){let $names=e.state.funcNameStack??[];return $names.length>0&&(e.state.sourceStack?.length??0)>$names.length?[...$names,"main"]:$names}async function Xo(e,t){',
      ],
      ['t==="FUNCNAME"?(e.state.funcNameStack??[]).map(', 't==="FUNCNAME"?$frames(e).map('],
      ['f>=0?e.state.funcNameStack?.[f]??"":""', 'f>=0?$frames(e)[f]??"":""'],
      [
        'e.state.currentSource=r;try{let c=Ge(i)',
        'e.state.currentSource=r,(e.state.sourceStack??=[]).unshift(r),(e.state.funcNameStack??=[]).unshift("source"),(e.state.callLineStack??=[]).unshift(e.state.currentLine);try{let c=e.coverage?.readSource?.(i)??Ge(i)',
      ],
      [
        'e.state.sourceDepth--,e.state.currentSource=a,',
        'e.state.sourceDepth--,e.state.currentSource=a,e.state.sourceStack.shift(),e.state.funcNameStack.shift(),e.state.callLineStack.shift(),',
      ],
    ],
  },
  {
    fault: '`[[ -v array ]]` asks for any element: bash asks for the one at 0.',
    places: [['e.state.associativeArrays?.has(t)?Et(e,t).length>0:ve(e,t).length>0}', 'Ut(e,t,0)}']],
  },
  {
    fault: '`${x//%/y}` and `${x//#/y}` take the sign for an end of the text: only `/%` and `/#` do.',
    places: [
      [
        'let c=null;t[i]==="#"?(c="start",i++):t[i]==="%"&&(c="end",i++);',
        'let c=null;l||(t[i]==="#"?(c="start",i++):t[i]==="%"&&(c="end",i++));',
      ],
    ],
  },
  {
    fault: '`shift` of more words than there are tells it: bash fails without a word.',
    places: [
      [
        'throw new st(1,"",o);return D(o)}if(n===0)return ne;',
        'throw new st(1,"",o);return L("","",1)}if(n===0)return ne;',
      ],
    ],
  },
  {
    fault: 'A key of an associative array knows no `$1`, `$#` and `${x%y}`: `${map[$1]}` is empty.',
    places: [
      [
        'async function Li(e,t){',
        'async function Li(e,t){if(t.includes("$")&&!/\\$\\(|`/.test(t))return rf(e,t);',
      ],
    ],
  },
  {
    fault: '`((n>>=1))` and `((n<<=1))` are no expressions.',
    places: [['!(c==="="&&/[|&^+\\-*/%<>]$/.test(n))', '!(c.startsWith("=")&&/[|&^+\\-*/%<>]$/.test(n))']],
  },
  {
    fault: '`return` in a stage of a pipeline and in `$( )` ends the function: both are shells of their own.',
    places: [
      [
        'else if($ instanceof We&&t.commands.length>1)N=',
        'else if(($ instanceof We||$ instanceof Te)&&t.commands.length>1)N=',
      ],
      [
        'throw p;if(p instanceof G){e.state.lastExitCode=p.exitCode,',
        'throw p;if(p instanceof G||p instanceof Te){e.state.lastExitCode=p.exitCode,',
      ],
    ],
  },
  {
    fault: '`!(…)` under `extglob` is no expression that its matcher knows: `rm !(keep)` fails.',
    places: [
      [
        'import{a as ge}from"./chunks/chunk-KVG5FR5F.js";',
        'import{a as $linear,b as $Native}from"./chunks/chunk-KVG5FR5F.js";let $nots=0;const $not=($other,$any=".*")=>{let $at=`not${++$nots}`;return`(?<=^(?<${$at}>[^]*))${$any}(?<!^\\\\k<${$at}>(?:${$other}))`},ge=($pattern,$flags,$limits)=>$pattern.includes("(?<not")?new $Native(new RegExp($pattern,$flags)):$linear($pattern,$flags,$limits);',
      ],
      ['else if(i==="!")if(o<t.length-1){', 'else if(i==="!")n+=$not(u);else if(o<t.length-1){'],
      [
        ':i==="!"?o==="="?',
        ':i==="!"&&!(o==="("&&/[^\\s;&|({!`][ \\t]+$/.test(this.input.slice(Math.max(0,n-99),n))&&!/(^|[\\s;&|()])(if|then|else|elif|while|until|do|time|\\[\\[)[ \\t]+$/.test(this.input.slice(Math.max(0,n-99),n)))?o==="="?',
      ],
      ['i==="!"&&(r+=`(?!(?:${u})$).*`)', 'i==="!"&&(r+=$not(u,t?".*":".*?"))'],
      ['else if(s==="!")if(i<e.length-1){', 'else if(s==="!")n+=$not(c);else if(i<e.length-1){'],
    ],
  },
  NAMEREF_MEND,
  LOCAL_MEND,
  FIRST_ELEMENT_MEND,
  ...STREAM_MENDS,
  ...TOLD_MENDS,
  ...WORD_MENDS,
  ...ARITHMETIC_MENDS,
]
