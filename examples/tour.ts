// A tour of the package: an agent works in a sandbox and tries to leave it; then a sandbox is dropped without close().
// The tour checks each of its claims. The exit code is 1 if a claim does not hold.
import { fileURLToPath } from 'node:url'
import { ShellHost } from 'strands-shell-runtime'
import { searchSources } from './tour/agent.ts'
import { Claims } from './tour/claims.ts'
import { dropSandbox } from './tour/drop.ts'
import { tryToLeave } from './tour/escapes.ts'
import { chapter, style } from './tour/terminal.ts'

const start = performance.now()
const claims = new Claims()
const sources = new URL('../src/', import.meta.url)
const manifest = new URL('../package.json', import.meta.url)

chapter("A sandbox with a copy of this repository's sources")
await using host = new ShellHost()
const sandbox = await host.open({
  binds: [
    { source: fileURLToPath(sources), destination: '/repo/src', mode: 'copy' },
    { source: fileURLToPath(manifest), destination: '/repo/package.json', mode: 'copy' },
  ],
  timeout: 10,
})
console.log(`  open after ${(performance.now() - start).toFixed(0)} ms`)

await searchSources(sandbox, sources, claims)
await tryToLeave(host, sandbox, sources, claims)
await sandbox.close()
await dropSandbox(claims)

chapter('The end')
const seconds = ((performance.now() - start) / 1000).toFixed(1)
if (claims.failed.length === 0) {
  console.log(style('green', `  ${claims.held} claims were made and checked, in ${seconds} s.`))
} else {
  console.log(
    style('red', `  ${claims.failed.length} of ${claims.held + claims.failed.length} claims do not hold:`),
  )
  for (const claim of claims.failed) console.log(`  - ${claim}`)
  process.exitCode = 1
}
