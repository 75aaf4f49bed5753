/** The places where just-bash splits words, expands braces and matches patterns otherwise than bash. */
export const WORD_MENDS = [
  {
    fault:
      'Parts of a word are joined where a value between them begins with a blank, `a"$x"` aside: `p$x` with ` y` is `py`. Delimiters at the ends of a value make too few words. What is quoted beside an expansion is matched with files: `"*"$x`.',
    places: [
      [
        'return _c(e,p,n,r,s)}let i=[],o=!1;for(let d of t){',
        'return $split(await $segments(e,p,s),n)}let i=[],o=!1;for(let d of t){',
      ],
      [
        'm=p?await Wp(e,d):null,w=await s(e,d);i.push({value:w,isSplittable:p,isQuoted:h,mixedDefaultParts:m??void 0}),p&&(o=!0)}',
        'm=p?await Wp(e,d):null;if(m){i.push(...await $segments(e,m,s)),o=!0;continue}let w=await s(e,d);i.push({value:w,isSplittable:p,isQuoted:h}),p&&(o=!0)}if(o){let $words=$split(i,n);wn($words.length-1,e.limits.maxArrayElements);if(i.some($one=>$one.isQuoted&&At($one.value,!0)))$words.patterns=$split(i.map($one=>$one.isQuoted?{...$one,value:Je($one.value)}:$one),n);return $words}',
      ],
      [
        'async function Lc(e,t,n,r,s){',
        'async function $segments(e,t,s){let $made=[];for(let u of t){let $quoted=u.type==="DoubleQuoted"||u.type==="SingleQuoted"||u.type==="Escaped";$made.push({value:await s(e,u),isSplittable:!$quoted,isQuoted:$quoted})}return $made}async function Lc(e,t,n,r,s){',
      ],
      [
        'let p=Vp(d),h=d.type==="DoubleQuoted"||d.type==="SingleQuoted",',
        'let p=Vp(d),h=d.type==="DoubleQuoted"||d.type==="SingleQuoted"||d.type==="Escaped",',
      ],
      [
        'let n=[];for(let r of t)if(At(r,e.state.shoptOptions.extglob)){let s=await is(e,r);De(n,s,e.limits.maxArrayElements,"glob expansion")}',
        'let n=[];for(let[$at,r]of t.entries())if(At((t.patterns?.[$at]??r).replace(/\\\\./gs,""),e.state.shoptOptions.extglob)){let s=await is(e,t.patterns?.[$at]??r,r);De(n,s,e.limits.maxArrayElements,"glob expansion")}',
      ],
      ['async function is(e,t){', 'async function is(e,t,$word=t){'],
      [
        'throw new Lt(t);return n.hasNullglob()?[]:[t]}async function Fp(',
        'throw new Lt(t);return n.hasNullglob()?[]:[$word]}async function Fp(',
      ],
      [
        'function Kr(e,t,n){',
        'function Kr(e,t,n){if(t!==""){let $words=$split([{value:e,isSplittable:!0}],t);wn($words.length-1,n);return{words:$words}}',
      ],
    ],
  },
  {
    fault: 'A pattern that matches no file is split at its blanks: `ls *" "*`.',
    places: [
      [
        'let l=Bi(r);if(!Oe(e.state.env)){',
        'let l=Bi(r);if(!Oe(e.state.env)&&n.some($part=>$part.type==="Glob"&&Oi($part.pattern))){',
      ],
    ],
  },
  {
    fault: 'Braces are split at commas in quotes, and end at a blank in quotes: `{a,"b, c"}`, `{x\\ y,z}`.',
    places: [
      ['scanBraceExpansion(t){', 'scanBraceExpansion(t){return $bracesAt(this.input,t);'],
      [
        'if(c==="{"){if(this.scanBraceExpansion(o)!==null){let f=1;for(',
        'let $word=c==="{"?this.scanBraceExpansion(o):c==="\\\\"?s.slice(o,o+2):c===\'"\'||c==="\'"?s.slice(o,$behind(s,o)):null;if($word!==null){a+=$word.length,o+=$word.length;continue}if(c==="{"){if(0){let f=1;for(',
      ],
      ['let s=di(e,t,n,"{","}");', 'let s=$closingBrace(t,n);'],
      [':i.includes(",")&&r?{part:', ':$alternatives(i).length>1&&r?{part:'],
      [':i.includes(",")?{part:', ':$alternatives(i).length>1?{part:'],
      ['function ol(e){', 'function ol(e){return $alternatives(e);'],
    ],
  },
  {
    fault:
      'The empty path is the current directory: `[ -d "" ]` and `[ -e "$unset" ]` are true. A directory has no size.',
    places: [
      ['async function ds(e,t,n){', 'async function ds(e,t,n){if(n==="")return!1;'],
      [
        'case"-s":return await e.fs.exists(r)?(await e.fs.stat(r)).size>0:!1;',
        'case"-s":{let $stat=await e.fs.stat(r).catch(()=>void 0);return $stat!==void 0&&($stat.isDirectory||$stat.size>0)}',
      ],
      [
        'async function hs(e,t,n,r){',
        'async function hs(e,t,n,r){if(n===""||r==="")return t!=="-ef"&&ds(e,"-e",t==="-nt"?n:r);',
      ],
    ],
  },
  {
    fault:
      'A pattern of `case` that is quoted in part loses its quotes, one of `[[ == ]]` its `\\\\`, and one of `[[ =~ ]]` all.',
    places: [
      ['let u=await se(e,c);Gc(c)&&(u=Je(u));', 'let u=await Hc(e,c);'],
      [
        'else if(r.type==="SingleQuoted")n.push(r.value);else if(r.type==="DoubleQuoted"){let s=await yt(e,r.parts);n.push(s)}else if(r.type==="TildeExpansion")',
        'else if(r.type==="SingleQuoted")n.push(Dn(r.value));else if(r.type==="DoubleQuoted"){let s=await yt(e,r.parts);n.push(Dn(s))}else if(r.type==="TildeExpansion")',
      ],
      ['"()|*?[]".includes(s)', '"()|*?[]\\\\".includes(s)'],
    ],
  },
  {
    fault: '`[[ a b -lt 2 ]]` takes what is no number for 0, and large numbers as doubles.',
    places: [
      [
        'async function ou(e,t){',
        'async function ou(e,t){if(t=t.trim(),/^(?:[+-]?(?:[1-9]\\d{0,14}|0))?$/.test(t))return Number(t);if(/^[+-]?[1-9]\\d{15,18}$/.test(t))return BigInt.asIntN(64,BigInt(t));if(/^[+-]?0\\d*[89]/.test(t))throw new ce(`${t}: value too great for base (error token is "${t}")`);return Y(e,re(new Q,t).expression);',
      ],
      ['case"-eq":return t===n;case"-ne":return t!==n;', 'case"-eq":return t==n;case"-ne":return t!=n;'],
    ],
  },
  {
    fault: 'An `&` in a replacement is a character, also where it has no quotes.',
    places: [
      [
        'let a=n.replacement?await r(e,n.replacement.parts):"";if(n.anchor==="start"?i=`^${i}`',
        'let a=n.replacement?await $replacement(e,n.replacement.parts,r):"";if(n.anchor==="start"?i=`^${i}`',
      ],
      ['i.append(r),o=a.index', 'i.append(r.includes("\\0")?r.replaceAll("\\0",()=>a[0]):r),o=a.index'],
      [
        'async function Zl(e,t,n,r,s){',
        'async function $replacement(e,t,r){let $made="";for(let $part of t){let $text=await r(e,[$part]);$made+=$part.type==="Literal"?$text.replace(/\\\\?&/g,$sign=>$sign==="&"?"\\0":"&"):/Quoted|Escaped/.test($part.type)?$text:$text.replaceAll("&","\\0")}return $made}async function Zl(e,t,n,r,s){',
      ],
    ],
  },
  {
    fault: '`${x,[A]}` changes the first character that matches, and not the first one where it does.',
    places: [['!n.all&&u?c+=f:a.test(f)?(c+=l(f),u=!0):c+=f;', 'c+=(n.all||!u)&&a.test(f)?l(f):f,u=!0;']],
  },
  {
    fault: "A quote is written as `$'it\\'s'`, which bash writes as `'it'\\''s'`.",
    places: [
      ["if(/[\\n\\r\\t\\x00-\\x1f\\x7f']/.test(e)){", 'if(/[\\n\\r\\t\\x00-\\x1f\\x7f]/.test(e)){'],
      ["}return`${n}'`}return`'${e}'`}", "}return`${n}'`}return`'${e.replaceAll(\"'\",\"'\\\\''\")}'`}"],
    ],
  },
  {
    fault: '`$((((1) + (2))))` is taken for a subshell.',
    places: [
      ['dollarDparenIsSubshell(t){', 'dollarDparenIsSubshell(t){return!$arithmetic(this.input,t+1);'],
      ['function Ta(e,t){', 'function Ta(e,t){return!$arithmetic(e,t+3);'],
      [
        'parseArithmeticExpansion(t,n){let r=n+3,s=1,i=0,o=r;for(',
        'parseArithmeticExpansion(t,n){let r=n+3,s=1,i=0,o=$arithmeticEnd(t,r);o<0?o=r:s=0;for(',
      ],
    ],
  },
  {
    fault: '`<<< a=b` and `> a=b` are syntax errors: a word with `=` is taken for an assignment.',
    places: [
      [
        'isWord()||e.error("Expected redirection target")',
        'isWord()||e.check(E.ASSIGNMENT_WORD)||e.error("Expected redirection target")',
      ],
    ],
  },
  {
    fault: '`${x~}` and `${x~~}`, which turn the case of characters, are refused.',
    places: [
      [
        'if(o==="^"||o===","){let l=a===o,c=o==="^"?"upper":"lower";',
        'if(o==="^"||o===","||o==="~"){let l=a===o,c=o==="^"?"upper":o==="~"?"turned":"lower";',
      ],
      [
        'let n=t.direction==="upper"?"^":",",r=t.all',
        'let n=t.direction==="upper"?"^":t.direction==="turned"?"~":",",r=t.all',
      ],
      [
        'async function Kl(e,t,n,r,s){',
        'async function Kl(e,t,n,r,s){if(n.direction==="turned"){let $turned=(await Promise.all(Array.from(t,async $c=>{let $up=$c.toUpperCase();return Kl(e,$c,{...n,direction:$c===$up?"lower":"upper"},r,s)})));return n.all?$turned.join(""):($turned[0]??"")+Array.from(t).slice(1).join("")}',
      ],
    ],
  },
  {
    fault: 'Whether `$v` has braces is lost, so that `$v{a,b}` is `${v}a ${v}b` and not `$va $vb`.',
    places: [
      [
        'return{part:M.parameterExpansion(i),endIndex:r}}function Fd(',
        'return{part:{...M.parameterExpansion(i),bare:!0},endIndex:r}}function Fd(',
      ],
    ],
  },
  {
    fault: 'Under `failglob` a pattern that matches nothing ends its command, and not its line.',
    places: [
      [
        'if(r?.finish(),s instanceof Lt)return D(s.stderr);throw s}',
        'if(r?.finish(),s instanceof Lt)return $unmatched(this.ctx,s);throw s}',
      ],
      [
        'if(o instanceof Lt)return{stdout:"",stderr:o.stderr,exitCode:1};throw o}e.state.loopDepth++',
        'if(o instanceof Lt)return $unmatched(e,o);throw o}e.state.loopDepth++',
      ],
      [
        'function Rp(e){',
        'function $unmatched(e,t){if(t.code)return D(t.stderr);e.coverage?.leaveLine?.(e.state);throw new G(1,"",t.stderr)}function Rp(e){',
      ],
    ],
  },
] as const
