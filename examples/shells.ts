// The same calls on other sandboxes: a shell of this machine, and programs started by argument list behind filters.
// Nothing holds these commands: they run with this program's rights.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SandboxTimeoutError } from 'strands-shell-runtime'
import { LocalSandbox, ShellAdapter } from 'strands-shell-runtime/argv'
import { localShell } from 'strands-shell-runtime/posix'

const directory = mkdtempSync(join(tmpdir(), 'shells-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

const shell = localShell({ cwd: directory })
for await (const event of shell.executeStreaming('echo one; sleep 0.1; echo two >&2; exit 3')) {
  if (event.type === 'streamChunk') console.log(`${event.streamType}: ${event.data.trimEnd()}`)
  else console.log('exit code', event.exitCode)
}
await shell.writeFile('odd name\n.bin', Uint8Array.from([0, 255, 10]))
console.log('bytes:', [...(await shell.readFile('odd name\n.bin'))].join(' '))
try {
  await shell.execute('echo so far; sleep 60', { timeout: 0.3 })
} catch (error) {
  if (!(error instanceof SandboxTimeoutError)) throw error
  console.log(`after 0.3 s, with what it had printed: ${error.stdout.trimEnd()}`)
}

await using programs = new LocalSandbox({ path: directory })
const readonly = new ShellAdapter(programs, { readonly: true, ignore: ['*.key'] })
console.log(await readonly.run('echo "a  b" $HOME'))
for (const command of ['rm -rf .', 'cat server.key', 'ls; rm -rf .']) console.log(await readonly.run(command))
