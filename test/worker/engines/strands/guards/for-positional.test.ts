import { printed } from './engine.ts'
import { testTextGuard } from './text-guard.ts'

testTextGuard(
  'for without a list',
  [
    { command: 'set -- a "b c"; for x; do echo $x; done', alone: printed(''), prints: 'a\nb c\n' },
    { command: 'set -- a b; for x do echo $x; done', alone: printed(''), prints: 'a\nb\n' },
    { command: 'set -- a b; for x\ndo echo $x; done', alone: printed(''), prints: 'a\nb\n' },
    { command: 'f() { for x; do echo "<$x>"; done; }; f 1 2', alone: printed(''), prints: '<1>\n<2>\n' },
  ],
  [
    'for x in 1 2; do echo $x; done',
    'for x in; do echo $x; done',
    'echo for x; echo do',
    '# for x; do',
    'for',
  ],
)
