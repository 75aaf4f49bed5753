import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runHere } from './run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'policy-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0

function fileOf(content: string, type = 'json'): string {
  const path = join(folder, `${++files}.${type}`)
  writeFileSync(path, content)
  return path
}

const rules = fileOf(
  JSON.stringify({
    allowCommands: ['cat', 'touch', 'tee'],
    denyCommands: ['tee'],
    readOnly: { except: ['/tmp'] },
    protectPaths: ['/tmp/kept'],
  }),
)

describe('--policy', () => {
  test.each(['strands', 'bash'])('holds run of %s to the rules of a file', async (shell) => {
    const run = (command: string) =>
      runHere(['run', '--shell', shell, '--policy', rules, '--cwd', '/tmp', command])
    expect(await run('cat /dev/null; touch /tmp/a; pwd')).toMatchObject({ code: 0, stdout: '/tmp\n' })
    for (const [command, reason] of [
      ['sort /dev/null', 'sort may not be run here. Allowed: cat, touch, tee.'],
      ['tee /tmp/a', 'tee may not be run here.'],
      ['cat > /etc/a', '/etc/a may not be written here.'],
      ['cat > /tmp/kept', '/tmp/kept may not be written here.'],
    ] as const) {
      expect(await run(command)).toMatchObject({
        code: 126,
        stdout: '',
        stderr: expect.stringContaining(`Denied by policy: ${reason}`),
      })
    }
  })

  test('takes a module, whose approver decides', async () => {
    const file = fileOf(`export default (call) => ({ ask: () => call.command === 'echo yes' })`, 'mjs')
    expect(await runHere(['run', '--policy', file, 'echo yes'])).toMatchObject({ code: 0, stdout: 'yes\n' })
    expect(await runHere(['run', '--policy', file, 'echo no'])).toMatchObject({
      code: 126,
      stderr: 'Denied by policy: The call was not approved.\n',
    })
    expect(await runHere(['run', '--policy', file, '--cwd', '/tmp', 'echo yes'])).toMatchObject({
      code: 2,
      stderr: 'strands-shell-runtime: --cwd: Denied by policy: The call was not approved.\n',
    })
  })

  test('is what no job of a batch and no command of a repl gets round', async () => {
    const jobs = `${JSON.stringify({ command: 'sort /dev/null', policy: [] })}\n`
    const words = ['--isolation', 'worker', '--policy', rules]
    expect(await runHere(['batch', '-', ...words], jobs)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"exitCode":126'),
    })
    expect(await runHere(['repl', ...words], 'sort /dev/null\n')).toMatchObject({ code: 126 })
  })

  test('says what is wrong with a file, and runs nothing', async () => {
    for (const [content, problem] of [
      ['{', 'it is not valid JSON (at character 2).'],
      ['[]', 'it must hold one object, such as {"allowCommands":["cat","ls"]}.'],
      ['{}', 'it has no rule. Known here: allowCommands, denyCommands, readOnly, protectPaths.'],
      [
        '{"allow":["ls"]}',
        '"allow" is no rule. Known here: allowCommands, denyCommands, readOnly, protectPaths.',
      ],
      ['{"allowCommands":"ls"}', 'allowCommands must be an array of texts, but is "ls" (a string).'],
      [
        '{"allowCommands":["ls","a b"]}',
        'allowCommands[1] must be the name of a program, such as "ls", or its absolute path.',
      ],
      ['{"denyCommands":[1]}', 'denyCommands[0] must be a string, but is a number.'],
      ['{"protectPaths":[]}', 'protectPaths must have a path, but is empty.'],
      ['{"protectPaths":["a"]}', 'protectPaths[0] must be an absolute path of the sandbox, such as "/work".'],
      [
        '{"readOnly":false}',
        'readOnly must be true or an object such as {"except":["/tmp"]}, but is false (a boolean).',
      ],
      [
        '{"readOnly":{"except":["a"]}}',
        'readOnly.except[0] must be an absolute path of the sandbox, such as "/work".',
      ],
      ['{"readOnly":{"excpt":[]}}', 'readOnly.excpt is no option. Did you mean except? Known here: except.'],
      [
        '{"askFor":{}}',
        'askFor needs an approver, which is a function. Give a module (.mjs) that exports it.',
      ],
    ] as const) {
      const file = fileOf(content)
      expect(await runHere(['run', '--policy', file, 'echo ran'])).toEqual({
        code: 2,
        signal: null,
        stdout: '',
        stderr: `strands-shell-runtime: --policy ${JSON.stringify(file)}: ${problem}\n`,
      })
    }
    expect(await runHere(['run', '--policy', '/no/such.json', 'echo ran'])).toMatchObject({
      code: 2,
      stderr: 'strands-shell-runtime: --policy "/no/such.json": it cannot be read (ENOENT).\n',
    })
  })

  test('is tried by "policy --file"', async () => {
    expect(await runHere(['policy', '--file', rules, 'sort a'])).toMatchObject({
      code: 126,
      stdout: expect.stringContaining('denied: sort may not be run here.'),
    })
  })
})
