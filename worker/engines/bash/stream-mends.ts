/** The places that take paths of descriptors for files: what was written there was gone, and what was read was nothing. */
export const STREAM_MENDS = [
  {
    fault: '`> /dev/fd/1` and `> /dev/fd/2` write to a file of that name.',
    places: [
      [
        'async function Wn(e,t,n,r,s=!0){',
        'function $fd(t){return/^\\/(?:dev|proc\\/self)\\/fd\\/(\\d)$/.exec(t)?.[1]}function $stream(t){let n=$fd(t);return n==="1"?"/dev/stdout":n==="2"?"/dev/stderr":t}async function Wn(e,t,n,r,s=!0){t=$stream(t);let $of=$fd(t);if($of!==void 0){let $entry=tt(e,Number($of));return $entry?{entry:$entry}:{error:L("",`bash: ${t}: No such file or directory\n`,1)}}',
      ],
      [
        'let k=r.get(S);if(k!==void 0)switch',
        'let k=r.get(S);if(k!==void 0)k=$stream(k);if(k!==void 0)switch',
      ],
      [
        'if(k==="/dev/stdout"){A===2&&(m=h);break}',
        'let $of=$fd(k);if($of!==void 0){let $to=b(Number($of));$to&&(A===1?h=$to:m=$to);break}if(k==="/dev/stdout"){A===2&&(m=h);break}',
      ],
    ],
  },
  {
    fault: '`< /dev/stdin` and `< /dev/fd/0` read an empty file.',
    places: [
      [
        'else if(y.operator==="<"){let A=e.fs.resolvePath(e.state.cwd,v);',
        'else if(y.operator==="<"&&S===0&&/^\\/(?:dev\\/stdin|(?:dev|proc\\/self)\\/fd\\/0)$/.test(v))continue;else if(y.operator==="<"){let A=e.fs.resolvePath(e.state.cwd,v);',
      ],
    ],
  },
] as const
