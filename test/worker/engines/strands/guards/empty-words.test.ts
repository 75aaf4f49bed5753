import { printed } from './engine.ts'
import { testTextGuard } from './text-guard.ts'

const f = 'f() { echo $#; }; '

testTextGuard(
  'words that are empty but quoted',
  [
    { command: `${f}f "" b`, alone: printed('1\n'), prints: '2\n' },
    { command: `${f}f "$NONE" b "\${NONE}"`, alone: printed('1\n'), prints: '3\n' },
    { command: `${f}f "$1" b`, alone: printed('1\n'), prints: '2\n' },
    { command: `${f}f "$NONE$OTHER"`, alone: printed('0\n'), prints: '1\n' },
    {
      command: 'for i in "" "$NONE" b; do echo "<$i>"; done',
      alone: printed('<b>\n'),
      prints: '<>\n<>\n<b>\n',
    },
    { command: '[ a = "" ]; echo $?', alone: 'panic', prints: '1\n' },
    { command: '[ a = "$NONE" ]; echo $?', alone: 'panic', prints: '1\n' },
    { command: '[ -n "$NONE" ]; echo $?', alone: printed('0\n'), prints: '1\n' },
    { command: 'echo "$(test a = "" || echo differs)"', alone: 'panic', prints: 'differs\n' },
  ],
  [
    `${f}f "$@" b`,
    'x=""; y="$NONE"',
    'echo "a" a"" ""b',
    'case "" in "") echo e;; esac',
    'cat <<E\n[ a = "" ]\nE',
    'echo \'"" "$x"\'',
    '# ""',
  ],
)
