import assert from 'node:assert/strict'
import { assertResult, eventsOf, rejection, type Statements } from './contract-test.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)

/** Passes what a caller without types could pass. */
function untyped<T>(value: unknown): T {
  return value as T
}

/** What a sandbox must do with the standard input of a call. */
export const standardInput: Statements = {
  'standard input is text as UTF-8': async ({ sandbox }) => {
    assertResult(await sandbox.execute('cat', { stdin: 'żółć 🐚\n' }), { stdout: 'żółć 🐚\n' })
  },

  'standard input is any bytes as they are, and the caller keeps its buffer': async ({
    sandbox,
    directory,
  }) => {
    const stdin = everyByte.slice()
    assertResult(await sandbox.execute(`cat > '${directory}/bytes'`, { stdin }), {})
    assert.ok(Buffer.from(await sandbox.readFile(`${directory}/bytes`)).equals(everyByte))
    assert.ok(Buffer.from(stdin).equals(everyByte))
  },

  'standard input has no size that surprises': async ({ sandbox }) => {
    const stdin = new Uint8Array(1_000_000).fill(0x61)
    assert.equal((await sandbox.execute('wc -c', { stdin })).stdout.trim(), '1000000')
    assertResult(await sandbox.execute('echo unread', { stdin }), { stdout: 'unread\n' })
    assertResult(await sandbox.execute('cat', { stdin: '' }), {})
  },

  'the commands of a call share its standard input': async ({ sandbox }) => {
    const stdin = 'one\ntwo\nthree\nfour\n'
    const { stdout } = await sandbox.execute('read a; read b; echo "$b $a"; cat; echo end', { stdin })
    assert.equal(stdout, 'two one\nthree\nfour\nend\n')
    const loop = 'read first; while read -r line; do echo "[$line]"; done; echo "$first"'
    assert.equal((await sandbox.execute(loop, { stdin })).stdout, '[two]\n[three]\n[four]\none\n')
    const piped = 'f() { cat | tr a-z A-Z; }; if true; then f; fi'
    assert.equal((await sandbox.execute(piped, { stdin: 'one\n' })).stdout, 'ONE\n')
  },

  'standard input is for one call, with env and cwd as without': async ({ sandbox, directory }) => {
    await sandbox.writeFile(`${directory}/here`, new Uint8Array(0))
    const { stdout } = await sandbox.execute('cat; echo "$A"; ls', {
      stdin: 'given\n',
      cwd: directory,
      env: { A: 'x' },
    })
    assert.equal(stdout, 'given\nx\nhere\n')
    assert.equal((await sandbox.execute('cat; echo ended')).stdout, 'ended\n')
  },

  'a command with standard input keeps its exit code and standard error': async ({ sandbox }) => {
    const result = await sandbox.execute('cat >&2; exit 3', { stdin: 'x\n' })
    assertResult(result, { exitCode: 3, stderr: 'x\n' })
  },

  'code reads standard input, and so do streams': async ({ sandbox }) => {
    const options = { stdin: "it's\n" }
    const code = 'read -r line\necho "[$line]"\ncat\n'
    assertResult(await sandbox.executeCode(code, 'sh', options), { stdout: "[it's]\n" })
    const ofCode = await eventsOf(sandbox.executeCodeStreaming(code, 'sh', options))
    assertResult(ofCode.at(-1), { stdout: "[it's]\n" })
    const ofCommand = await eventsOf(sandbox.executeStreaming('cat', options))
    assertResult(ofCommand.at(-1), { stdout: "it's\n" })
  },

  'rejects standard input that is neither text nor bytes, and that of many commands': async ({
    sandbox,
    directory,
  }) => {
    const refused = { code: 'INVALID_CONFIG', at: 'stdin' }
    for (const stdin of [7, null, {}, [1], new ArrayBuffer(1), '\ud800'].map(untyped<string>)) {
      const call = () => sandbox.execute(`echo x > '${directory}/ran'`, { stdin })
      assert.deepEqual(await rejection(call), refused)
    }
    const many = untyped<{ timeout: number }>({ stdin: 'x' })
    assert.deepEqual(
      await rejection(() => sandbox.executeMany([`echo x > '${directory}/ran'`], many)),
      refused,
    )
    assert.deepEqual(await sandbox.listFiles(directory), [])
  },

  'rejects standard input of more than 64 MiB': async ({ sandbox }) => {
    const stdin = new Uint8Array(64 * 1024 * 1024 + 1)
    assert.deepEqual(await rejection(() => sandbox.execute('cat', { stdin })), { code: 'LIMIT_EXCEEDED' })
  },
}
