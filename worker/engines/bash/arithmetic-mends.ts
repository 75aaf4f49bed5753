/** The places where just-bash computes with doubles and 32 bits. `$calculate` and `$integer` are of `arithmetic/exact.ts`. */
export const ARITHMETIC_MENDS = [
  {
    fault: 'Sums above 2^53 are rounded, `((a[0] = 1 << 40))` is 256, and `((a[0] /= 0))` is 0.',
    places: [
      [
        'function Yp(e,t,n){',
        'function $exact(n,e,t){try{return $calculate(n,e,t)}catch($e){throw new ce($e.message)}}async function $held(e,t){return!t||/^\\s*-?(?:[1-9]\\d*|0)\\s*$/.test(t)?$integer(t||"0"):Y(e,re(new Q,t).expression)}function Yp(e,t,n){if(n!==",")return $exact(n,e,t);',
      ],
      ['function Jc(e,t,n){', 'function Jc(e,t,n){return n==="="?t:$exact(n.slice(0,-1),e,t);'],
      [
        'case"-":return-e;case"+":return+e;case"!":return e===0?1:0;case"~":return~e;',
        'case"-":return $exact("-",0,e);case"+":return e;case"!":return e===0?1:0;case"~":return $exact("^",e,-1);',
      ],
      [
        'let s=Number.parseInt(r,10);if(!Number.isNaN(s)&&/^-?\\d+$/.test(r.trim()))return s;',
        'if(/^\\s*-?(?:[1-9]\\d*|0)\\s*$/.test(r))return $integer(r);',
      ],
      [
        'let r=Number.parseInt(t,10);if(!Number.isNaN(r)&&/^-?\\d+$/.test(t.trim()))return r;',
        'if(/^\\s*-?(?:[1-9]\\d*|0)\\s*$/.test(t))return $integer(t);',
      ],
      [
        'let a=Number.parseInt(o,10);if(!Number.isNaN(a)&&/^-?\\d+$/.test(o))return a;',
        'if(/^-?(?:[1-9]\\d*|0)$/.test(o))return $integer(o);',
      ],
      [
        'let c=Number.parseInt(le(e,o,l)||"0",10)||0,u=t.operator==="++"?c+1:c-1;',
        'let c=await $held(e,le(e,o,l)),u=$exact(t.operator[0],c,1);',
      ],
      [
        'c=Number.parseInt(l||"0",10)||0,u=await s(t.value),',
        'c=t.operator==="="?0:await $held(e,l),u=await s(t.value),',
      ],
      [
        'case"ArithNumber":if(Number.isNaN(t.value))',
        'case"ArithNumber":if(t.digits)return $integer(t.digits);if(Number.isNaN(t.value))',
      ],
    ],
  },
  {
    fault: '`[ a -eq b ]` compares doubles.',
    places: [
      [
        'let n=Number.parseInt(e,10);return Number.isNaN(n)?{value:0,valid:!1}:{value:t?-n:n,valid:!0}}',
        'return{value:$integer((t?"-":"")+e.replace(/^0+(?=\\d)/,"")),valid:!0}}',
      ],
    ],
  },
  {
    fault: '`let "x = 1 << 3"` is read as a script with a here-document.',
    places: [
      [
        'let o=Ge(`(( ${s} ))`).statements[0];if(o&&o.pipelines.length>0&&o.pipelines[0].commands.length>0){let a=o.pipelines[0].commands[0];a.type==="ArithmeticCommand"&&(r=await Y(e,a.expression.expression))}',
        'r=await Y(e,re(new Q,s).expression)',
      ],
    ],
  },
] as const
