import { printed } from './engine.ts'
import { testTextGuard } from './text-guard.ts'

testTextGuard(
  'a # inside a word',
  [
    { command: 'echo http://x/#top b', alone: printed('http://x/\n'), prints: 'http://x/#top b\n' },
    { command: 'x=a#b; echo $x', alone: printed(''), prints: 'a#b\n' },
    { command: 'x=1; echo $x#b "c"#d', alone: printed('1\n'), prints: '1#b c#d\n' },
    {
      command: 'echo a | sed s#a#b#',
      alone: { status: 1, stdout: '', stderr: 'sed: invalid s command\n' },
      prints: 'b\n',
    },
  ],
  [
    'echo a #b',
    `echo $# \${#x} \${x#a} \${x##*/}`,
    'echo "a#b" \'a#b\' a\\#b',
    'echo $((16#ff))',
    '(echo x)#c',
    '#a#b',
  ],
)
