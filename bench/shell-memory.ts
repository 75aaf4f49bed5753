// npx tsx bench/shell-memory.ts: resident memory of a shell of the engine, alone and with what a session begins with.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { resolveEngine } from '../src/engines/strands/resolve-engine.ts'
import { LUA_PRELUDE } from '../worker/engines/strands/guards/bare-lua.ts'
import { PRELUDE } from '../worker/engines/strands/guards/prelude.ts'
import { TEST_PRELUDE } from '../worker/engines/strands/guards/test-operands.ts'
import { helpersOf } from '../worker/engines/strands/translate/helpers.ts'

const beginnings = {
  nothing: 'true',
  PRELUDE,
  LUA_PRELUDE: LUA_PRELUDE.join('\n'),
  TEST_PRELUDE: TEST_PRELUDE.join('\n'),
  'the helpers of sed FILE > OUT': helpersOf('__ssr_into '),
  'PRELUDE as a string': `: '${PRELUDE.replaceAll("'", '')}'`,
}
const child = fileURLToPath(new URL('./shell-memory-child.ts', import.meta.url))
const { source } = await resolveEngine()
const env = { ...process.env, RUST_MIN_STACK: String(2 ** 30) }

for (const [name, beginning] of Object.entries(beginnings)) {
  const args = ['--import', 'tsx', child, source.path, beginning]
  const each = execFileSync(process.execPath, args, { env, encoding: 'utf8' })
  console.log(`${Number(each).toFixed(3)} MiB a shell that has run \`echo a\` after ${name}`)
}
