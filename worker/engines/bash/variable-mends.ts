/**
 * The places of just-bash where a name reference (`declare -n`, `local -n`) is taken for a variable of its own: all but reading and
 * setting one text. `$aim` gives the name that a reference stands for.
 */
export const NAMEREF_MEND = {
  fault:
    'A name reference to an array reads and changes an array of its own name; `((r++))` and `read -a` overwrite the reference.',
  places: [
    [
      'function ue(e,t){return e.state.namerefs?.has(t)??!1}',
      'function ue(e,t){return e.state.namerefs?.has(t)??!1}function $aim(e,t){if(!ue(e,t))return t;let $to=Fe(e,t);return $to===void 0||$to.includes("[")?t:$to}',
    ],
    ['return e.state.arrays?.get(t)}', 'return e.state.arrays?.get($aim(e,t))}'],
    ['function rr(e,t,n="indexed"){', 'function rr(e,t,n="indexed"){t=$aim(e,t);'],
    ['return e.state.arrays?.has(t)??!1}', 'return e.state.arrays?.has($aim(e,t))??!1}'],
    ['function sr(e,t){', 'function sr(e,t){t=$aim(e,t);'],
    ['function Ee(e,t){', 'function Ee(e,t){t=$aim(e,t);'],
    ['function K(e,t){', 'function K(e,t){t=$aim(e,t);'],
    ['let[,d,p]=i;if(e.state.assoc', 'let[,d,p]=i;d=$aim(e,d);if(e.state.assoc'],
    [
      '"ArithArrayElement":{let i=e.state.associativeArrays?.has(t.array)',
      '"ArithArrayElement":{let i=e.state.associativeArrays?.has($aim(e,t.array))',
    ],
    ['let o=t.operand.array,', 'let o=$aim(e,t.operand.array),'],
    [
      'let o=t.operand.name,a=Number.parseInt(await ie(e,o),10)||0,l=t.operator==="++"?a+1:a-1;',
      'let o=$aim(e,t.operand.name),a=await $held(e,await ie(e,o)),l=$exact(t.operator[0],a,1);',
    ],
    ['case"ArithAssignment":{let i=t.variable,', 'case"ArithAssignment":{let i=$aim(e,t.variable),'],
    [
      'error:h}}let a=e.state.associativeArrays?.has(n)',
      'error:h}}n=$aim(e,n);let a=e.state.associativeArrays?.has(n)',
    ],
    ['let b=new Set(i===0?[]:e.state.arrays', 'l=$aim(e,l);let b=new Set(i===0?[]:e.state.arrays'],
    ['let w=new Set;c&&w.add(c);', 'c=c&&$aim(e,c),d=d.map($name=>$aim(e,$name));let w=new Set;c&&w.add(c);'],
    ['let $=P[1],R=P[2]??A;', 'let $=$aim(i,P[1]),R=P[2]??A;'],
    [
      'let r=n[1],s=n[2];if(e.state.associativeArrays?.has(r)){let a=s;',
      'let r=$aim(e,n[1]),s=n[2];if(e.state.associativeArrays?.has(r)){let a=s;',
    ],
    ['let d=c[1],p=c[2];if(Be(e,d))', 'let d=$aim(e,c[1]),p=c[2];if(Be(e,d))'],
    ['let c=o[1],u=o[2];if(Be(e,c))', 'let c=$aim(e,o[1]),u=o[2];if(Be(e,c))'],
    [
      'if(i==="-v"){n="variable";continue}',
      'if(i==="-n"){n="reference";continue}if(n==="reference"){ue(e,i)&&(Tl(e,i),e.state.env.delete(i));continue}if(i==="-v"){n="variable";continue}',
    ],
    [
      'for(let d of f){let p,h,m=d.match(',
      'for(let d of f){Tl(e,d.replace(/[[+=].*$/s,""));let p,h,m=d.match(',
    ],
  ],
} as const

/** Sets of names with an attribute, which other calls share: they are changed in place. */
const ATTRIBUTES = JSON.stringify(['namerefs', 'integerVars', 'lowercaseVars', 'uppercaseVars'])

/** The places where a function takes variables of its own, and gives back what they hide. */
export const LOCAL_MEND = {
  fault:
    'Attributes of a local variable outlive its function, `unset` behind it removes nothing, and so do words that it set by `set --`. A local array begins with the elements of the one that it hides, and a local text beside an array of its name is set in that.',
  places: [
    [
      'if(yu(e,p),e.state.fullyUnsetLocals)',
      'for(let $name of new Set([...h?.keys()??[],...m?.keys()??[]])){let $at=e.state.localScopes.length;while($at>0&&!e.state.localScopes[$at-1].has($name)&&!e.state.localArrayScopes?.[$at-1]?.has($name))$at--;$at>0?e.state.localVarDepth?.set($name,$at):vs(e,$name)}if(yu(e,p),e.state.fullyUnsetLocals)',
    ],
    [
      'for(let[w,b]of o)b===void 0?e.state.env.delete(w):e.state.env.set(w,b);e.state.funcNameStack?.shift()',
      'for(let $at=Number(e.state.env.get("#"));$at>0;$at--)e.state.env.delete(String($at));for(let[w,b]of o)b===void 0?e.state.env.delete(w):e.state.env.set(w,b);e.state.funcNameStack?.shift()',
    ],
    [
      'e.state.localScopes.push(new Map),e.state.localArrayScopes??=[],',
      `e.state.localScopes.push(new Map);let $had=${ATTRIBUTES}.map($of=>new Set(e.state[$of]));e.state.localArrayScopes??=[],`,
    ],
    [
      'm=e.state.localArrayScopes?.pop();if(h)',
      `m=e.state.localArrayScopes?.pop();${ATTRIBUTES}.forEach(($of,$at)=>{for(let $name of[...h?.keys()??[],...m?.keys()??[]])$had[$at].has($name)?e.state[$of]?.add($name):e.state[$of]?.delete($name)});if(h)`,
    ],
    [
      'let S=e.state.localScopes.length>0&&!b,v=P=>{if(!S)return;',
      'let S=e.state.localScopes.length>0&&!b,v=P=>{if(!S)return;if(Ne(e,P)&&!r&&!s)return k(P);',
    ],
    [
      'r.set(p,S),c&&i(p)}',
      'let $hides=Ne(e,p);r.set(p,S),(c||$hides)&&i(p),c||(e.state.arrays?.delete(p),e.state.associativeArrays?.delete(p))}',
    ],
    [
      'R.set(P,V?Me(V):void 0)}},A=P=>',
      'R.set(P,V?Me(V):void 0),V&&(e.state.arrays.delete(P),e.state.associativeArrays?.delete(P))}},A=P=>',
    ],
  ],
} as const

/** The places that set a variable, and not the first element where it is an array. */
export const FIRST_ELEMENT_MEND = {
  fault: '`((n += 1))`, `printf -v n`, `read n` and `for n in` of an array set a variable behind it.',
  places: [
    [
      'function Pe(e,t){',
      'function $assign(e,t,$value){Ne(e,t)&&!e.state.associativeArrays?.has(t)?Z(e,t,0,$value,"indexed"):e.state.env.set(t,$value)}function Pe(e,t){',
    ],
    [
      'return e.state.env.set(o,String(l)),t.prefix?l:a}if(',
      'return $assign(e,o,String(l)),t.prefix?l:a}if(',
    ],
    ['return a===void 0?e.state.env.set(o,String(f)):Z(', 'return a===void 0?$assign(e,o,String(f)):Z('],
    [
      'let l=a===void 0?e.state.env.get(o):le(e,i,a)',
      'let l=a===void 0?e.state.env.get(o)??le(e,o,0):le(e,i,a)',
    ],
    ['if(R===void 0)i.state.env.set($,k);', 'if(R===void 0)$assign(i,$,k);'],
    [
      'e.state.env.set(t.variable,o);try{for(let a of t.body)',
      '$assign(e,t.variable,o);try{for(let a of t.body)',
    ],
  ],
} as const
