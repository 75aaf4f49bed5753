import { printed } from './engine.ts'
import { testTextGuard } from './text-guard.ts'

testTextGuard(
  'a here-document with an escaped or double-quoted delimiter',
  [
    { command: 'x=1; cat <<\\EOF\n$x\nEOF', alone: printed('1\n'), prints: '$x\n' },
    { command: 'cat <<"EOF"\na\n\necho b\nEOF', alone: afterwards('EOF'), prints: 'a\n\necho b\n' },
    { command: 'cat <<-"EOF"\na\n\necho b\nEOF', alone: afterwards('EOF'), prints: 'a\n\necho b\n' },
  ],
  ["cat <<'EOF'\n$x\nEOF", 'cat <<EOF\n<<\\EOF\nEOF', 'echo "<<\\EOF"', 'echo "<<" "EOF"'],
)

/** The rest of the body has run as commands, and so has the delimiter. */
function afterwards(command: string) {
  return { status: 127, stdout: 'a\nb\n', stderr: `strands-shell: ${command}: command not found\n` }
}
