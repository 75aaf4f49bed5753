import { afterAll, describe, expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../src/index.ts'
import {
  ENGINE_BUILTINS,
  ENGINE_COMMANDS,
  MISSING_COMMANDS,
  MISSING_FLAGS,
  RUNTIME_COMMANDS,
} from '../../src/tools/index.ts'
import { ADDED_PROGRAMS } from '../../worker/engines/strands/translate/name-kinds.ts'
import { PROGRAMS } from '../../worker/engines/strands/translate/programs.ts'
import { callTool } from './support/places.ts'

const sandbox = new StrandsShellSandbox({ isolation: 'worker' })
afterAll(() => sandbox.close())

/** `command -v` does not tell of these. */
const untold = new Set(['case', 'command', 'for', 'if', 'until', 'while'])

/** Those that the engine's shell does not know. */
async function unknown(names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const { exitCode } = await sandbox.execute(`command -v ${name}`)
    if (exitCode !== 0) found.push(name)
  }
  return found
}

describe('what is known of the engine', () => {
  it('every command that is there is there', async () => {
    expect(
      await unknown([...ENGINE_COMMANDS, ...ENGINE_BUILTINS.filter((name) => !untold.has(name))]),
    ).toEqual([])
  })

  it('every command that the runtime adds runs', async () => {
    for (const name of RUNTIME_COMMANDS) {
      const { stderr } = await sandbox.execute(`${name} a </dev/null`)
      expect({ name, stderr }).not.toEqual({ name, stderr: expect.stringContaining('command not found') })
    }
  })

  it('every command that the runtime adds is known where names are asked for', async () => {
    expect([...ADDED_PROGRAMS].toSorted()).toEqual([...RUNTIME_COMMANDS, 'sh'].toSorted())
    const names = [...ENGINE_COMMANDS, ...RUNTIME_COMMANDS].join(' ')
    const questions = ['command -v', 'type', 'which', 'hash']
      .map((question) => `${question} "$n" > /dev/null || echo "${question} $n"`)
      .join('; ')
    expect((await sandbox.execute(`for n in ${names}; do ${questions}; done`)).stdout).toBe('')
  })

  it('every program of the runtime is told, but what only translations call', () => {
    const told = new Set([
      ...ENGINE_COMMANDS,
      ...RUNTIME_COMMANDS,
      'cat-visible',
      'find-tree',
      'jq-path',
      'sed-texts',
      'grep-perl',
    ])
    expect([...PROGRAMS.keys()].filter((name) => !told.has(name) && !name.startsWith('__'))).toEqual([])
  })

  it('every command that is not there is not there, and is named once', async () => {
    const names = MISSING_COMMANDS.flatMap((entry) => entry.names)
    expect(new Set(names).size).toBe(names.length)
    const there: string[] = []
    for (const name of names) {
      const { stderr } = await sandbox.execute(`${name} a </dev/null`)
      if (!/command not found|is not available here/.test(stderr)) there.push(name)
    }
    expect(there).toEqual([])
  })

  it('every flag that is refused is refused', async () => {
    const taken: string[] = []
    await sandbox.execute('echo a > /tmp/f')
    for (const flag of MISSING_FLAGS.flatMap(({ names }) => names)) {
      for (const operands of ['', 'f', '1 f']) {
        const { exitCode, stdout } = await sandbox.execute(`cd /tmp; ${flag} ${operands}`)
        if (exitCode === 0 && !stdout.startsWith('Usage:')) taken.push(`${flag} ${operands}`)
      }
    }
    expect(taken).toEqual([])
  })
})

describe('a command that the engine does not have', () => {
  it('adds a line that names what is there instead', async () => {
    const { text } = await callTool(sandbox, 'shell', { command: 'zip a.zip f; zip - f | cat' })
    expect(text.split('\n').at(-1)).toBe('[zip is not in this sandbox. Instead: tar and gzip.]')
    expect(text.match(/Instead/g)).toHaveLength(1)
  })

  it('that nobody knows gets the list of those that are there', async () => {
    const { text } = await callTool(sandbox, 'shell', { command: 'frobnicate' })
    expect(text).toContain(
      `[frobnicate is not in this sandbox. There are: ${[...ENGINE_COMMANDS, ...RUNTIME_COMMANDS].join(' ')}.]`,
    )
  })

  it('with an option that it does not know adds what to write instead', async () => {
    const command = 'echo a > /tmp/f; grep -z a /tmp/f; cut --wide -f1 /tmp/f; nl -p /tmp/f'
    const { text } = await callTool(sandbox, 'shell', { command })
    expect(text.split('\n').slice(-3)).toEqual([
      '[grep has no -z in this sandbox. Instead: grep without it, or lua.]',
      '[cut has no --wide in this sandbox. cut --help lists its options.]',
      '[nl has no -p in this sandbox.]',
    ])
  })

  it('that is mentioned only adds nothing', async () => {
    const { text } = await callTool(sandbox, 'shell', {
      command: 'echo "strands-shell: zip: command not found"',
    })
    expect(text).toBe('strands-shell: zip: command not found')
  })
})
