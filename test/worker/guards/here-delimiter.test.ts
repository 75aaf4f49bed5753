import { printed } from './engine.ts'
import { testTextGuard } from './text-guard.ts'

testTextGuard(
  'a here-document with an escaped delimiter',
  [{ command: 'x=1; cat <<\\EOF\n$x\nEOF', alone: printed('1\n'), prints: '$x\n' }],
  ["cat <<'EOF'\n$x\nEOF", 'cat <<EOF\n<<\\EOF\nEOF', 'echo "<<\\EOF"'],
)
