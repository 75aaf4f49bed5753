import assert from 'node:assert/strict'
import { assertResult, eventsOf, type Statements } from './contract-test.ts'

/** What a sandbox must do with source code; `sh` is the one interpreter that all have. */
export const code: Statements = {
  'runs code of any characters with its interpreter': async ({ sandbox }) => {
    const program = `x='it'"'"'s'\necho "$x \\$HOME"\ncat << 'EOF'\nEOF2 'é' $x\nEOF\necho err >&2\nexit 4\n`
    const result = await sandbox.executeCode(program, 'sh')
    assertResult(result, { exitCode: 4, stdout: "it's $HOME\nEOF2 'é' $x\n", stderr: 'err\n' })
  },

  'code takes env and cwd as commands do': async ({ sandbox, directory }) => {
    await sandbox.writeFile(`${directory}/here`, new Uint8Array(0))
    const { stdout } = await sandbox.executeCode('echo "$A"; ls', 'sh', {
      env: { A: "x 'y'" },
      cwd: directory,
    })
    assert.equal(stdout, "x 'y'\nhere\n")
  },

  'code streams as commands do': async ({ sandbox }) => {
    const events = await eventsOf(sandbox.executeCodeStreaming('echo a', 'sh'))
    assertResult(events.at(-1), { stdout: 'a\n' })
  },

  'gives exit code 127 for an interpreter that does not exist': async ({ sandbox }) => {
    assert.equal((await sandbox.executeCode('x', 'no-such-interpreter')).exitCode, 127)
  },

  'empty code runs': async ({ sandbox }) => {
    assertResult(await sandbox.executeCode('', 'sh'), {})
  },
}
