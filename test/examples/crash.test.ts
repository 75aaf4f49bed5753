import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { program } from '../fixtures/program.ts'
import { isFull } from '../support/tier.ts'

const run = promisify(execFile)
const frameworks = ['tools', 'ai-sdk', 'langchain', 'openai-agents', 'strands', 'mcp']

test.runIf(isFull)(
  'a command that crashes the engine ends a cell, and the program with the tools of each framework goes on',
  async () => {
    const { stdout } = await run(process.execPath, [program('test/examples/children/killer.ts')])

    const replies: [name: string, text: string][] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(replies.map(([name]) => name)).toEqual(frameworks.flatMap((name) => [name, name]))
    for (const [index, [name, text]] of replies.entries()) {
      const expected = index % 2 === 0 ? 'The session was lost: The cell was ended by SIGABRT.' : 'alive'
      expect(`${name}: ${text}`).toContain(expected)
    }
  },
)
