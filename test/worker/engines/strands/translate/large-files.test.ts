import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ShellHost, type StrandsShellSandbox } from '../../../../../src/index.ts'

/** What the engine writes in one piece of more than 1 MiB is in the file after its program has ended. */
const LINES = 160_000
const LARGE = Buffer.from('a line of text\n'.repeat(LINES))

const host = new ShellHost()
let sandbox: StrandsShellSandbox
beforeAll(async () => {
  sandbox = await host.open()
  await sandbox.writeFile('/tmp/a', LARGE)
})
afterAll(() => host[Symbol.asyncDispose]())

describe('a file of several MiB is whole when the command that writes it has ended:', () => {
  it.each([
    'cat a > f',
    'cat < a > f',
    'x=$(cat a); cat <<< "$x" > f',
    'cat a | cat > f',
    'cat a | sort > f',
    'awk 1 a | cat > f',
    'sed -n p a | grep line > f',
    '{ cat a; } | cat > f',
    '{ cat > f; } < a',
    'set -o pipefail; cat a | sort | cat > f',
    'h() { sort > f; }; cat a | h',
    'cat a* > f',
    'timeout 9 cat < a | cat > f',
  ])('%s', async (command) => {
    await sandbox.execute('cd /tmp; rm -f f g; unset x; set +o pipefail')
    const { stdout, stderr } = await sandbox.execute(`${command}\nwc -l < f`)
    expect({ stdout, stderr }).toEqual({ stdout: `${LINES}\n`, stderr: '' })
  })
})

describe('a file that may not be that large ends its command with status 1 and a message:', () => {
  it.each([
    'cat a a > f',
    'cat a a* > f',
    'cat a > f; cat a >> f',
    'sed p a > f',
    'set -o pipefail; cat a a | sort > f',
  ])('%s', async (command) => {
    await using small = await host.open({ limits: { maxFileSize: LARGE.length + 1000 } })
    await small.writeFile('/tmp/a', LARGE)
    const { exitCode, stderr } = await small.execute(`cd /tmp; ${command}`)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'strands-shell: cat: file size limit exceeded\n',
    })
  })
})
