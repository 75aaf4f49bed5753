// npx tsx bench/order.ts [CALLS]: whether native calls that are in flight at once on one shell keep their order.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { resolveEngine } from '../src/engines/strands/resolve-engine.ts'

const calls = Number(process.argv[2] ?? 60_000)
const child = fileURLToPath(new URL('./order-child.ts', import.meta.url))
const { source } = await resolveEngine()

for (const threads of ['1', '2']) {
  for (const [shells, depth] of [
    [1, 2],
    [1, 8],
    [4, 2],
    [4, 64],
  ] as const) {
    const args = ['--import', 'tsx', child, source.path, shells, depth, calls].map(String)
    const env = { ...process.env, TOKIO_WORKER_THREADS: threads, RUST_MIN_STACK: String(2 ** 28) }
    const { ran, settled } = JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }))
    console.log(
      `TOKIO_WORKER_THREADS=${threads}, ${shells} shells, ${depth} in flight: of ${shells * calls} calls ${ran} ran and ${settled} settled out of turn`,
    )
  }
}
