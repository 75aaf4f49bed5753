/** A fault of just-bash's, and the places of its bundle that are changed for it. */
interface Mend {
  /** What it does without them. */
  readonly fault: string
  /** Texts that stand there once each, and what stands there instead. */
  readonly places: readonly (readonly [from: string, to: string])[]
}

/** What the mended places call: `$text`, `$bytes` and `$size` of `text/bytes.ts`, and `$paths` of `files/matching-paths.ts`. */
export const MENDS: readonly Mend[] = [
  {
    fault: '`*/` gives files as well, `**` few of the paths, and `*/*` under `dotglob` gives `..`.',
    places: [['async expand(t){', 'async expand(t){return $paths(this,t);']],
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
      'A command with an empty input of its own, as in `cat < /dev/null`, reads that of the loop or group around it.',
    places: [
      ['{...await pf(c,t,n,s,o),internalP', '{...await pf(c,t,n,s,o,l),internalP'],
      ['async function pf(e,t,n,r,s){', 'async function pf(e,t,n,r,s,$own){'],
      ['let d=r||i.state.groupStdin||"",', 'let d=$own?r:r||i.state.groupStdin||"",'],
      [
        'if(t==="read")return qo(c,n,s,a);if(t==="mapfile"||t==="readarray")return jo(c,n,s);',
        'if(t==="read")return qo(c,n,s,a,l);if(t==="mapfile"||t==="readarray")return jo(c,n,s,l);',
      ],
      ['function qo(e,t,n,r=-1){', 'function qo(e,t,n,r=-1,$own=!1){'],
      ['else!b&&e.state.groupStdin!==void 0&&(b=', 'else!$own&&!b&&e.state.groupStdin!==void 0&&(b='],
      [
        'r>=0?tn(e,r,_):e.state.groupStdin!==void 0&&!n&&',
        'r>=0?tn(e,r,_):!$own&&e.state.groupStdin!==void 0&&!n&&',
      ],
      ['function jo(e,t,n){', 'function jo(e,t,n,$own=!1){'],
    ],
  },
  {
    fault: '`mapfile -n` takes the whole input, and `-u` is ignored.',
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
        'let _=0,$left=l;for(;$left>0&&_<b.length;$left--)_+=t[0]==="-rB"?1:$size(b,_);v=$text(b.substring(0,_)),C(v),N=_,P=$left===0,$(N);',
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
    fault: 'The whole output is decoded once more: `Ã©` becomes `é`.',
    places: [['t.stdout=_f(t.stdout),t.stderr=_f(t.stderr),t', 't']],
  },
]
