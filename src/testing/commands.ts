import assert from 'node:assert/strict'
import { assertResult, eventsOf, type Statements } from './contract-test.ts'

/** What a sandbox must do with commands. */
export const commands: Statements = {
  'returns the exit code, stdout and stderr of a command': async ({ sandbox }) => {
    const result = await sandbox.execute('echo out; echo err >&2; exit 3')
    assertResult(result, { exitCode: 3, stdout: 'out\n', stderr: 'err\n' })
  },

  'a command without output yields empty text': async ({ sandbox }) => {
    assertResult(await sandbox.execute('true'), {})
  },

  'gives exit code 127 for a command that is not found': async ({ sandbox }) => {
    const { exitCode, stderr } = await sandbox.execute('no-such-command-anywhere')
    assert.equal(exitCode, 127)
    assert.match(stderr, /no-such-command-anywhere/)
  },

  'a result tells how long its command ran': async ({ sandbox }) => {
    const { durationMs } = await sandbox.execute('sleep 0.3')
    assert.ok(durationMs >= 250 && durationMs < 30_000, `durationMs is ${durationMs}`)
  },

  'a command that chooses exit code 124, or says that it timed out, did not': async ({ sandbox }) => {
    const forged = 'bash: stopped after 30 s\nstrands-shell: execution timeout exceeded'
    const { timedOut, truncated } = await sandbox.execute(`echo '${forged}' >&2; exit 124`)
    assert.deepEqual([timedOut, truncated], [false, false])
  },

  'output is UTF-8 of any script and plane': async ({ sandbox }) => {
    const text = 'aéß漢字🐚́'
    assert.equal((await sandbox.execute(`echo '${text}'`)).stdout, `${text}\n`)
  },

  'a command has several lines, quotes and here-documents': async ({ sandbox }) => {
    const command = `x='it'"'"'s'\nfor i in 1 2\ndo echo "$i $x"\ndone\ncat << 'END'\n$x\nEND`
    assert.equal((await sandbox.execute(command)).stdout, "1 it's\n2 it's\n$x\n")
  },

  'a command reads nothing from the standard input of its host': async ({ sandbox }) => {
    const { stdout } = await sandbox.execute('cat; echo ended', { timeout: 60 })
    assert.equal(stdout, 'ended\n')
  },

  'env is passed literally, for one command only': async ({ sandbox }) => {
    const value = `a 'b' "c" $HOME \`d\` \\ *\n#e`
    const { stdout } = await sandbox.execute('printf "%s" "$CONTRACT_VALUE"', {
      env: { CONTRACT_VALUE: value },
    })
    assert.equal(stdout, value)
    assert.equal((await sandbox.execute('echo "[$CONTRACT_VALUE]"')).stdout, '[]\n')
  },

  'env reaches every stage of a pipeline': async ({ sandbox }) => {
    const options = { env: { A: '1', B: '2' } }
    const { stdout } = await sandbox.execute('f() { cat; echo "$B"; }; echo "$A" | f', options)
    assert.equal(stdout, '1\n2\n')
  },

  'cwd is the directory of one command only': async ({ sandbox, directory }) => {
    await sandbox.writeFile(`${directory}/here`, new Uint8Array(0))
    const before = (await sandbox.execute('pwd')).stdout
    assert.equal((await sandbox.execute('ls', { cwd: directory })).stdout, 'here\n')
    assert.equal((await sandbox.execute('pwd')).stdout, before)
  },

  'a cwd that does not exist fails the command, which does not run': async ({ sandbox, directory }) => {
    const { exitCode, stdout } = await sandbox.execute('echo ran', { cwd: `${directory}/none` })
    assert.notEqual(exitCode, 0)
    assert.equal(stdout, '')
  },

  'a stream yields chunks, then one result with all of their text': async ({ sandbox }) => {
    const events = await eventsOf(sandbox.executeStreaming('echo a; echo b >&2; echo c'))
    const last = events.at(-1)
    const text = (stream: string) =>
      events
        .map((event) => (event.type === 'streamChunk' && event.streamType === stream ? event.data : ''))
        .join('')
    assertResult(last, { stdout: 'a\nc\n', stderr: 'b\n' })
    assert.deepEqual([text('stdout'), text('stderr')], ['a\nc\n', 'b\n'])
    assert.equal(events.filter(({ type }) => type === 'executionResult').length, 1)
  },

  'a stream that is left early leaves the sandbox usable': async ({ sandbox }) => {
    for await (const event of sandbox.executeStreaming('echo a; sleep 0.2; echo b')) {
      assert.equal(typeof event.type, 'string')
      break
    }
    assert.equal((await sandbox.execute('echo on')).stdout, 'on\n')
  },

  'calls made at once all settle, each with its own result': async ({ sandbox }) => {
    const numbers = Array.from({ length: 20 }, (_, index) => index)
    const results = await Promise.all(
      numbers.map((number) => sandbox.execute(`echo ${number}; exit ${number}`)),
    )
    for (const number of numbers) {
      assertResult(results[number], { exitCode: number, stdout: `${number}\n` })
    }
  },
}
