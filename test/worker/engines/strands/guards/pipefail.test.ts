import { expect, it } from 'vitest'
import { rewriteCommand } from '../../../../../worker/engines/strands/guards/rewrite.ts'
import { testTextGuard } from './text-guard.ts'

const refused = (stdout: string) => ({
  status: stdout === '' ? 2 : 0,
  stdout,
  stderr: 'strands-shell: set: -o: unsupported option\n',
})

testTextGuard(
  'set -o pipefail',
  [
    { command: 'set -o pipefail', alone: refused(''), prints: '' },
    { command: 'set +o pipefail', alone: refused(''), prints: '' },
    { command: 'set -o pipefail; echo $?', alone: refused('2\n'), prints: '0\n' },
    { command: 'set -eo pipefail; echo "$-"', alone: refused(''), prints: 'e\n' },
    { command: 'set -euo pipefail; echo "$-"', alone: refused(''), prints: 'eu\n' },
    { command: 'set -o pipefail -o errexit; echo "$-"', alone: refused('\n'), prints: 'e\n' },
    { command: '(set -o pipefail && echo in)', alone: refused(''), prints: 'in\n' },
    { command: 'echo "$(set -o pipefail && echo in)"', alone: refused('\n'), prints: 'in\n' },
    { command: 'set -o nounset; echo "$-"', alone: refused('\n'), prints: 'u\n' },
    { command: 'set -o pipefail -- a b; echo $#', alone: refused('0\n'), prints: '2\n' },
  ],
  [
    'echo "set -o pipefail"',
    "echo 'set -o pipefail'",
    '# set -o pipefail',
    'echo set -o pipefail',
    'grep pipefail script',
    'set -o other',
    'set -o pipefail "$@"',

    "cat > s.sh <<'EOF'\n#!/bin/bash\nset -euo pipefail\nEOF",
    'cat > s.sh <<EOF\nset -o pipefail\nEOF\necho done',
  ],
  () => {
    it.each([
      ['set -Eeuo pipefail', 'set -eu '],
      ['set -o pipefail 2>/dev/null || true', ':   2>/dev/null || true'],
      ['if set -o pipefail; then :; fi', 'if :  ; then :; fi'],
      ['set -o errexit -o pipefail -o nounset', 'set -e    -u '],
    ])('rewrites %j', (command, rewritten) => {
      expect(rewriteCommand(command)).toBe(rewritten)
    })
  },
)
