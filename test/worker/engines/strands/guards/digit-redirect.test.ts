import { printed } from './engine.ts'
import { testTextGuard } from './text-guard.ts'

testTextGuard(
  'a digit before a redirection',
  [
    { command: 'echo 5 > /tmp/f; cat /tmp/f', alone: printed('\n'), prints: '5\n' },
    { command: 'echo 5 >> /tmp/f; cat /tmp/f', alone: printed('\n'), prints: '5\n' },
    { command: 'echo a 2 >/tmp/f; cat /tmp/f', alone: printed('a\n'), prints: 'a 2\n' },
    { command: 'echo \\5 > /tmp/f; cat /tmp/f', alone: printed('\n'), prints: '5\n' },
    { command: 'if true; then echo 3 > /tmp/f; fi; cat /tmp/f', alone: printed('\n'), prints: '3\n' },
    { command: 'echo "$(echo 5 > /tmp/f; cat /tmp/f)"', alone: printed('\n'), prints: '5\n' },
    { command: 'echo > /tmp/g 4 > /tmp/f; cat /tmp/f', alone: printed(''), prints: '4\n' },
  ],
  [
    'echo x 2>f',
    'echo x 2> f',
    'echo 12 > f',
    'echo "5" > f',
    'echo "5 > f"',
    "echo '5 > f'",
    'echo $((5 > 3)) $(( 1 << 2 ))',
    `echo \${x:-5 > f}`,
    '# echo 5 > f',
    'for i in 1 2; do :; done > f',
    "cat <<'E'\necho 5 > f\nE",
    'x=5 > f',
    'echo a5 > f',
  ],
)
