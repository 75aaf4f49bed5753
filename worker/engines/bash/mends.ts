/** A place of just-bash's bundle, and what stands there instead. */
export interface Mend {
  /** Text that stands there once. */
  readonly from: string
  readonly to: string
}

/** What the mended places call: `$text`, `$bytes` and `$size` of `text/bytes.ts`, and `$paths` of `files/matching-paths.ts`. */
export const MENDS: readonly Mend[] = [
  // `*/` gave files as well, `**` few of the paths, and `*/*` under `dotglob` `..`.
  { from: 'async expand(t){', to: 'async expand(t){return $paths(this,t);' },
  // These make one string a byte: 8 MiB through a group took 2 s, or the heap.
  {
    from: 'd as Vf,e as Tt,f as Xs,g as vn,h as zf,i as xt,j as Ys,k as Uf,l as jf}from"./chunks/chunk-GN6CQ3J4.js";',
    to: 'd as Vf,f as Xs,g as vn,h as zf,k as Uf,l as jf}from"./chunks/chunk-GN6CQ3J4.js";var Tt=$bytes,xt=e=>zf(e)==="bytes"?e.stdout:$bytes(e.stdout),Ys=e=>zf(e)==="bytes"?$text(e.stdout):e.stdout;',
  },
  // `read` and `mapfile` took bytes as latin1 for text: `é` had two characters. `read` leaves NUL bytes out.
  {
    from: 'S===`\n`&&v.endsWith(`\n`)',
    to: 'v=$text(v).replaceAll("\\0",""),S===`\n`&&v.endsWith(`\n`)',
  },
  { from: '"string_length");f.push(g)};', to: '"string_length");f.push($text(g))};' },
  // A command whose own input is empty, as in `cat < /dev/null`, read that of the loop or group around it.
  { from: '{...await pf(c,t,n,s,o),internalP', to: '{...await pf(c,t,n,s,o,l),internalP' },
  { from: 'async function pf(e,t,n,r,s){', to: 'async function pf(e,t,n,r,s,$own){' },
  { from: 'let d=r||i.state.groupStdin||"",', to: 'let d=$own?r:r||i.state.groupStdin||"",' },
  {
    from: 'if(t==="read")return qo(c,n,s,a);if(t==="mapfile"||t==="readarray")return jo(c,n,s);',
    to: 'if(t==="read")return qo(c,n,s,a,l);if(t==="mapfile"||t==="readarray")return jo(c,n,s,l);',
  },
  { from: 'function qo(e,t,n,r=-1){', to: 'function qo(e,t,n,r=-1,$own=!1){' },
  { from: 'else!b&&e.state.groupStdin!==void 0&&(b=', to: 'else!$own&&!b&&e.state.groupStdin!==void 0&&(b=' },
  {
    from: 'r>=0?tn(e,r,_):e.state.groupStdin!==void 0&&!n&&',
    to: 'r>=0?tn(e,r,_):!$own&&e.state.groupStdin!==void 0&&!n&&',
  },
  { from: 'function jo(e,t,n){', to: 'function jo(e,t,n,$own=!1){' },
  // `mapfile -n` takes what it reads of the input, and `-u` reads that descriptor.
  { from: 'l="MAPFILE",c=0;', to: 'l="MAPFILE",c=0,$fd=-1;' },
  {
    from: 'g==="-u"||g==="-C"||g==="-c"?c+=2',
    to: 'g==="-u"?($fd=Number(t[c+1]),c+=2):g==="-C"||g==="-c"?c+=2',
  },
  {
    from: 'let u=n;!u&&e.state.groupStdin!==void 0&&(u=e.state.groupStdin);',
    to: 'let u=n;if($fd>0){let $from=Cs(e,$fd);if("error"in $from)return L("",`bash: mapfile: ${t[t.indexOf("-u")+1]}: invalid file descriptor: Bad file descriptor\n`,1);u=$from.content}else !$own&&!u&&e.state.groupStdin!==void 0&&(u=e.state.groupStdin);',
  },
  {
    from: 'for(;d<u.length;){e.executionScope.consumeWork(1,"mapfile input")',
    to: 'for(;d<u.length&&!(s>0&&p>=s);){e.executionScope.consumeWork(1,"mapfile input")',
  },
  { from: 'w(v),p++}}break}', to: 'w(v),p++}}d=u.length;break}' },
  {
    from: 'return e.state.groupStdin!==void 0&&!n&&(e.state.groupStdin=""),{...L("","",0),internalStdinConsumed:u.length}',
    to: 'return $fd>0?tn(e,$fd,d):!$own&&e.state.groupStdin!==void 0&&!n&&(e.state.groupStdin=u.slice(d)),{...L("","",0),internalStdinConsumed:$fd>0?0:d}',
  },
  // `read -n` and `-N` count characters. With `-rB`, which only rewritten scripts have, they count bytes.
  { from: 'A(oe),T++,_++,N=T', to: 'oe=b.slice(T,T+$size(b,T)),A(oe),T+=oe.length,_++,N=T' },
  {
    from: 'let _=Math.min(l,b.length);v=b.substring(0,_),C(v),N=_,P=_>=l,$(N);',
    to: 'let _=0,$left=l;for(;$left>0&&_<b.length;$left--)_+=t[0]==="-rB"?1:$size(b,_);v=$text(b.substring(0,_)),C(v),N=_,P=$left===0,$(N);',
  },
  // Input of other descriptors than 0 is bytes as well: `cat <&3`.
  {
    from: 'lt(e,C,{kind:"input",content:A}),e.state.env.set(y.fdVariable',
    to: 'lt(e,C,{kind:"input",content:Tt(A)}),e.state.env.set(y.fdVariable',
  },
  { from: 'lt(e,S,{kind:"input",content:A})}else', to: 'lt(e,S,{kind:"input",content:Tt(A)})}else' },
  { from: 'let C={kind:"input",content:A};', to: 'let C={kind:"input",content:Tt(A)};' },
  { from: 'P={kind:"input",content:`${v}\n`}', to: 'P={kind:"input",content:Tt(`${v}\n`)}' },
  { from: 'lt(e,A,{kind:"input",content:`${v}\n`})', to: 'lt(e,A,{kind:"input",content:Tt(`${v}\n`)})' },
  { from: '{entry:{kind:"input",content:s}}', to: '{entry:{kind:"input",content:await vn(e.fs,r)}}' },
  // `$( )` leaves NUL bytes out.
  { from: 'let w=m.replace(', to: 'let w=m.replaceAll("\\0","").replace(' },
  { from: 'let m=p.stdout.replace(', to: 'let m=p.stdout.replaceAll("\\0","").replace(' },
  { from: 'let h=p.stdout.replace(', to: 'let h=p.stdout.replaceAll("\\0","").replace(' },
  // Output that is bytes meets messages, which are text: `cat a b 2>&1`, `cat f >&2`.
  { from: 'case"live-stdout":l+=A;', to: 'case"live-stdout":l+=!N&&d==="binary"?$bytes(A):A;' },
  { from: 'case"live-stderr":c+=A;', to: 'case"live-stderr":c+=N&&d==="binary"?$text(A):A;' },
  { from: 'let A=S+v;', to: 'let A=S+(d==="binary"?$bytes(v):v);' },
  { from: 'v=B(g.stdout)', to: 'v=d==="binary"?g.stdout.length:B(g.stdout)' },
  // `$'\xff'` is a byte.
  { from: 'function bd(e){', to: 'function bd(e){return $text(String.fromCharCode(...e));' },
  // It decoded the whole output once more: `é` came of `Ã©`.
  { from: 't.stdout=_f(t.stdout),t.stderr=_f(t.stderr),t', to: 't' },
]
