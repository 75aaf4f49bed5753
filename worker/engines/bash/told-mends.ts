/** What the shell tells of its variables and of itself. */
export const TOLD_MENDS = [
  {
    fault: '`declare -x`, `-r` and `-n` without names list all variables, and not as declarations.',
    places: [['if(a&&g.length===0)return _u(e,', 'if((a||o||i||l)&&g.length===0)return _u(e,']],
  },
  {
    fault: '`${x@A}` has no attributes, and `${a[@]@A}` is the elements.',
    places: [
      [
        'if(i&&s.operator==="a")return Ht(e,i[1]);',
        'if(i&&s.operator==="a")return Ht(e,i[1]);if(i&&s.operator==="A")return Iu(e,[i[1]]).stdout.trimEnd();',
      ],
      [
        'case"A":return r?"":`${t}=${Zt(n)}`;',
        'case"A":{let $of=Ht(e,t);return r?"":`${$of===""?"":`declare -${$of} `}${t}=${Zt(n)}`}',
      ],
      [
        'a=r.operation,l=K(e,i);if(l.length===0){',
        'a=r.operation,l=K(e,i);if(a.operator==="A"&&Ne(e,i))return{values:[Iu(e,[i]).stdout.trimEnd()],quoted:!0};if(l.length===0){',
      ],
    ],
  },
  {
    fault: '`$BASH_SUBSHELL` is empty. The process ids of the shells that are inside each other rise.',
    places: [
      [
        'case"BASHPID":return String(e.state.bashPid);',
        'case"BASHPID":return String(e.state.bashPid);case"BASH_SUBSHELL":return String((e.state.$shells??[]).filter($pid=>$pid<=e.state.bashPid).length);',
      ],
      ['"BASHPID","LINENO"]).has(t)', '"BASHPID","BASH_SUBSHELL","LINENO"]).has(t)'],
      [
        'async function ns(e,t){',
        'function $shell(e){let $shells=e.$shells??=[];while($shells.at(-1)>e.bashPid)$shells.pop();$shells.push(e.nextVirtualPid);return e.nextVirtualPid++}async function ns(e,t){',
      ],
      [
        'let s=e.state.bashPid;e.state.bashPid=e.state.nextVirtualPid++;',
        'let s=e.state.bashPid;e.state.bashPid=$shell(e.state);',
      ],
      [
        'e.substitutionDepth=r+1,e.state.bashPid=e.state.nextVirtualPid++,',
        'e.substitutionDepth=r+1,e.state.bashPid=$shell(e.state),',
      ],
      [
        'let l=e.state.bashPid;e.state.bashPid=e.state.nextVirtualPid++;',
        'let l=e.state.bashPid;e.state.bashPid=$shell(e.state);',
      ],
      [
        'e.state.bashPid=e.state.nextVirtualPid++;try{return await nt(',
        'e.state.bashPid=$shell(e.state);try{return await nt(',
      ],
    ],
  },
  {
    fault: '`getopts` leaves an empty `OPTARG` where an option has none, and not an unset one.',
    places: [['e.state.env.set("OPTARG",""),l>a.length', 'e.state.env.delete("OPTARG"),l>a.length']],
  },
  {
    fault: '`command -v` finds no programs but those that every shell has.',
    places: [
      [
        'else if(e.commands.has(a)){let u=(e.state.env.get("PATH")??"/usr/bin:/bin").split(":"),f=null;',
        'else{let u=(e.state.env.get("PATH")??"/usr/bin:/bin").split(":"),f=null;',
      ],
      [
        'f||(f=`/usr/bin/${a}`),r?s+=`${a} is ${f}\n`:s+=`${f}\n`}else r&&(i+=`${a}: not found\n`),o=1}',
        '!f&&e.commands.has(a)&&(f=`/usr/bin/${a}`);if(f)r?s+=`${a} is ${f}\n`:s+=`${f}\n`;else r&&(i+=`bash: command: ${a}: not found\n`),o=1}}',
      ],
    ],
  },
  {
    fault: '`cd /tmp/../x` leads to `//x`.',
    places: [
      [
        'if(f==="..")c=c.split("/").slice(0,-1).join("/")||"/";else',
        'if(f==="..")c=c.split("/").slice(0,-1).join("/");else',
      ],
    ],
  },
  {
    fault: 'Lists of variables have those that hold values between two commands of ours.',
    places: [
      [
        'let u=Array.from(c).sort();for(let f of u){let d=Du(e,f),',
        'let u=Array.from(c).filter($name=>!/^__a\\d+$/.test($name)).sort();for(let f of u){let d=Du(e,f),',
      ],
      [
        'r=Array.from(n).sort();for(let s of r){let i=ve(e,s);',
        'r=Array.from(n).filter($name=>!/^__a\\d+$/.test($name)).sort();for(let s of r){let i=ve(e,s);',
      ],
    ],
  },
  {
    fault: '`type f` writes `...` for most of what is in a function.',
    places: [
      ['function sf(e,t){', 'function sf(e,t){if(t.source)return`${e} is a function\n${t.source}\n`;'],
    ],
  },
] as const
