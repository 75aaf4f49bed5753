import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rewriteCommand } from '../../../../../worker/engines/strands/guards/rewrite.ts'
import { Engine } from './engine.ts'

const MIB = 2 ** 20

describe('rewriteCommand', () => {
  it.each(['', 'true', 'ls -la /tmp | head -3', 'echo "unbalanced 5 > f', 'a=(x "" y); echo 5 > f', '\0'])(
    'gives %j back as it came',
    (command) => {
      expect(rewriteCommand(command)).toBe(command)
    },
  )

  it('applies several guards at once', () => {
    const script = 'set -eu\nfalse &&\n  echo "" 5 > a#b\nx=$([ "$y" = z ]) && \\\nfor i; do lua; done'
    expect(rewriteCommand(script)).toBe(
      "set -eu\nfalse && echo '' '5' > a'#'b\nx=$(__ssr_bracket \"$y\"'' = z ]) && for i in \"$@\"; do __ssr_lua; done",
    )
  })

  it('rewrites no text twice', () => {
    const once = rewriteCommand('echo "" 5 > f && \\\n[ "$x" = "" ]; for i; do lua; done; x=$(test a#b)')
    expect(rewriteCommand(once)).toBe(once)
  })

  it.each([
    ['plain lines', 'echo hello world\n', 4 * MIB],
    ['empty words', 'echo "" a b\n', MIB],
    ['continuations', 'a \\\n', MIB],
    ['joined lines', 'a &&\n', MIB],
    ['hashes', 'a#', MIB],
    ['open brackets', '((""', MIB],
    ['here-documents', '<<E ""', MIB],
  ])('reads %s in linear time', (_, piece, size) => {
    const time = (length: number) => {
      const start = performance.now()
      rewriteCommand(piece.repeat(length / piece.length))
      return performance.now() - start
    }
    time(size / 16)
    const bound = 40 * Math.max(time(size / 8), 10)
    // The best of some runs does not depend on what else the machine does.
    let best = time(size)
    for (let again = 0; again < 4 && best >= bound; again++) best = Math.min(best, time(size))
    expect(best).toBeLessThan(bound)
  })
})

describe('a script with many quirks', () => {
  let engine: Engine
  beforeAll(() => {
    engine = Engine.start()
  })
  afterAll(() => engine.stop())

  it('runs as in a POSIX shell', async () => {
    const script = `set -eu
log() {
  printf '[%s] %s\\n' "$1" "$2"
}
count=0
for name in "" one two#2; do
  [ "$name" = "" ] && continue
  count=$((count + 1))
  log "$count" "$name"
done
test "$count" -eq 2 &&
  echo 2 > /tmp/count || \\
  echo failed
cat <<'EOF' > /tmp/script
set -o pipefail
echo 5 > f
EOF
cat /tmp/count /tmp/script`
    expect(await engine.guarded(script)).toEqual({
      status: 0,
      stdout: '[1] one\n[2] two#2\n2\nset -o pipefail\necho 5 > f\n',
      stderr: '',
    })
  })
})
