import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { program } from '../fixtures/program.ts'
import { isFull } from '../support/tier.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Lines that each example must print, in this order. */
const keyLines: Readonly<Record<string, readonly RegExp[]>> = {
  'hostile-agent.ts': [
    /^ {2}told: hostile has lost its session \(CELL_EXITED\)$/m,
    /^ {2}its caller: WORKER_LOST; its next command: a fresh session$/m,
    /^ {2}its caller: TIMEOUT; its next command: a fresh session$/m,
    /^ {2}told: hostile has lost its session \(CELL_MEMORY\)$/m,
    /^ {2}its caller: MEMORY_LIMIT; its next command: a fresh session$/m,
    /^the other agent lost nothing: yes$/m,
    /^the main thread was late by at most \d+ ms$/m,
  ],
  'host-commands.ts': [
    /^fetched orders$/m,
    /^ada owes 30, bob owes 12$/m,
    /^the model sees: exit code 1, refund: 100 is more than 50$/m,
    /^saved: ada,30 bob,12$/m,
    /^chunk: 1 order of bob$/m,
    /^chunk: 2 orders of ada$/m,
    /^refunds: ada 5$/m,
  ],
  'ai-sdk.ts': [
    /^write_file: Wrote \/tmp\/numbers\.txt \(6 bytes, 3 lines\)\.$/m,
    /^read_file: .*3 \|.*1 \|.*2$/m,
    /^shell: 1$/m,
    /^asks for approval: \{ command: 'rm \/tmp\/numbers\.txt' \}$/m,
    /^still there: \/tmp\/numbers\.txt$/m,
  ],
  'langchain.ts': [
    /^write_file \(success\): Wrote \/tmp\/numbers\.txt/m,
    /^shell \(success\): 1$/m,
    /^shell \(error\): The call was not approved/m,
    /^says: The least number is 1\.$/m,
    /^still there: \/tmp\/numbers\.txt$/m,
  ],
  'openai-agents.ts': [
    /^write_file: Wrote \/tmp\/numbers\.txt/m,
    /^shell: 1$/m,
    /^refused: \{"command":"rm \/tmp\/numbers\.txt"\}$/m,
    /^says: The least number is 1\.$/m,
    /^apply_patch: Updated \/tmp\/numbers\.txt\.$/m,
    /^shell: \[\{"stdout":"0\\n2\\n3\\n",.*python3 is not in this sandbox/m,
    /^says: The least number is 0 now\.$/m,
  ],
  'mcp-server.ts': [
    /^tools: shell, write_file, read_file$/m,
    /^shell: \{"exitCode":0,"stdout":"Ada\\nGrace\\n",/m,
    /^refused: true$/m,
    /^a stranger: 401$/m,
    /^sessions: 0$/m,
  ],
  'strands.ts': [
    /^success \[\{"text":"File created successfully at: \/tmp\/numbers\.txt"\}\]$/m,
    /^success \[\{"json":\{"output":"1\\n","error":""\}\}\]$/m,
    /^error \[\{"text":"Error: The path \/etc\/shadow does not exist/m,
    /^\[\{"text":"The least number is 1\."\}\]$/m,
  ],
  'shells.ts': [
    /^stdout: one$/m,
    /^stderr: two$/m,
    /^exit code 3$/m,
    /^bytes: 0 255 10$/m,
    /^after 0\.3 s, with what it had printed: so far$/m,
    /^a {2}b \$HOME$/m,
    /^Command not allowed: 'rm -rf \.'$/m,
    /^Access denied: .*server\.key$/m,
    /^Command not allowed/m,
  ],
  'many-sandboxes.ts': [
    ...Array.from({ length: 6 }, (_, index) => new RegExp(`^I am ${index} \\(\\d+ ms\\)$`, 'm')),
    /^6 sandboxes in \d+ ms$/m,
    /^the main thread was free meanwhile: yes$/m,
    /^0 sandboxes open in 2 cells; one more took \d+ ms$/m,
  ],
  'quick-start.ts': [
    /^stdout: hello world, from \/tmp\/work$/m,
    /^exit code: 1 stderr: .*nothing\.txt/m,
    /^scoped: hi and then: hello$/m,
    /^jq: 0 names: \[ 'Grace', 'Ada' \]$/m,
    /^lua: 1 4 9$/m,
  ],
  'review-then-keep.ts': [
    /^on the host: version 1$/m,
    /^ {2}changed file \/work\/README$/m,
    /^ {2}removed file \/work\/docs\/old$/m,
    /^ {2}added directory \/work\/notes$/m,
    /^ {2}added file \/work\/notes\/first$/m,
    /^conflict: \/work\/README, the host's is \/work\/README\.host-conflict$/m,
    /^written: .*\/work\/notes\/first.* removed: 0$/m,
    /^README: version 2$/m,
    /^the host has: README README\.host-conflict docs notes \/ \[ 'old' \]$/m,
    /^later: changed \/work\/notes\/first$/m,
  ],
  'service.ts': [
    /^ada: 200 \{"exitCode":0,"stdout":"1\\n","stderr":"","generation":1\}$/m,
    /^bob: 200 \{"exitCode":0,/m,
    /^mallory has lost its session: CELL_EXITED$/m,
    /^mallory: 500 \{"code":"WORKER_LOST"\}$/m,
    /^ada: 200 \{"exitCode":0,"stdout":"\s*2\\n",.*"generation":1\}$/m,
    /^draining$/m,
    /^ada: 200 \{"exitCode":0,"stdout":"1\\n2\\n"/m,
    /^drained: 0 workers, 3 sandboxes closed, \d+ calls$/m,
  ],
  'timeouts-and-aborts.ts': [
    /^config timeout: exit code 124 after [\d.]+ s$/m,
    /^ {2}the session has its files: started$/m,
    /^call timeout: TIMEOUT after [\d.]+ s$/m,
    /^ {2}the next call: exit code 0 after [\d.]+ s in session 1$/m,
    /^call signal: ABORTED after [\d.]+ s$/m,
    /^ {2}the next call: exit code 1 in session 2$/m,
    /^ignored timeout: WORKER_LOST \(The engine ignored its deadline of 0\.3 s by more than 2 s\.\) after [\d.]+ s$/m,
    /^ {2}the next call: exit code 0 after [\d.]+ s in session 2$/m,
  ],
  'tour.ts': [
    /^== A sandbox with a copy of this repository's sources$/m,
    /^ {2}✓ find saw all \d+ files of the host$/m,
    /^ {2}✓ lua counted every line of them$/m,
    /^ {2}✓ jq read package\.json$/m,
    /^ {2}✓ the report is a file of the sandbox/m,
    /^== Way out 1/m,
    /^\$ cat \/etc\/passwd {2}\([\d.]+ ms, exit code 1\)$/m,
    /^ {2}✓ nothing was read or written$/m,
    /^ {2}✓ the copy has changed, the host has not$/m,
    /^ {2}✓ its neighbours cannot be read, and nothing was written$/m,
    /^ {2}✓ the server on 127\.0\.0\.1 saw no request$/m,
    /^ {2}another one waited \d+ ms for its place: the host collects sandboxes while one waits$/m,
    /^ {2}✓ the dropped sandbox has no place any more$/m,
    /^ {2}\d+ claims were made and checked, in [\d.]+ s\.$/m,
  ],
}

/** Run in the full tier: they fill memory or compute for seconds. */
const costly: readonly string[] = ['hostile-agent.ts', 'many-sandboxes.ts', 'timeouts-and-aborts.ts']

interface End {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function runExample(name: string): Promise<End> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program(`examples/${name}`)],
      { cwd: repository, timeout: 100_000, killSignal: 'SIGKILL' },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

const examples = (await readdir(new URL('../../examples/', import.meta.url))).filter((name) =>
  name.endsWith('.ts'),
)

test('has expected lines for each example', () => {
  expect(examples.toSorted()).toEqual(Object.keys(keyLines).sort())
})

test.each(examples)('%s keeps the engine out of its own process', async (name) => {
  const source = await readFile(new URL(`../../examples/${name}`, import.meta.url), 'utf8')

  expect(
    source.match(/isolation:|StrandsShellSandbox\.open|new StrandsShellSandbox\((?!.*\{ host \}\))/g),
  ).toBeNull()
})

describe('each example runs, ends by itself and prints its expected lines', () => {
  const names = examples.filter((name) => isFull || !costly.includes(name))
  const ends = new Map<string, End>()

  // Two at a time: most of the time an example waits.
  beforeAll(async () => {
    const left = [...names]
    const runNext = async (): Promise<void> => {
      const name = left.shift()
      if (name === undefined) return
      ends.set(name, await runExample(name))
      await runNext()
    }
    await Promise.all([runNext(), runNext()])
  }, 800_000)

  test.each(names)('%s', (name) => {
    const { code, stdout = '', stderr } = ends.get(name) ?? {}
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    let from = 0
    for (const line of keyLines[name] ?? []) {
      const rest = stdout.slice(from)
      expect(rest).toMatch(line)
      from += rest.search(line)
    }
    expect(stdout).not.toContain('\u001b[')
  })
})
