import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { History, historyPath } from '../../../src/cli/repl/history.ts'

describe('historyPath', () => {
  const below = 'strands-shell-runtime/history'
  test.each([
    [{ XDG_STATE_HOME: '/state' }, `/state/${below}`],
    [{}, join(homedir(), '.local/state', below)],
    [{ XDG_STATE_HOME: '' }, join(homedir(), '.local/state', below)],
    [{ XDG_STATE_HOME: 'relative' }, join(homedir(), '.local/state', below)],
  ])('with %j is %j', (env, path) => {
    expect(historyPath(env)).toBe(path)
  })
})

describe('a history', () => {
  let directory: string
  let path: string
  let warnings: string[]
  const open = () => History.open(path, (problem) => warnings.push(problem))
  const text = () => readFile(path, 'utf8')
  const modeOf = async (of: string) => (await stat(of)).mode & 0o777
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'history-test-'))
    path = join(directory, 'state', 'history')
    warnings = []
  })
  afterEach(() => rm(directory, { recursive: true }))

  test('keeps what another session adds, also when it is shortened', async () => {
    const [long, other] = [await open(), await open()]
    await other.add('of the other')
    for (let line = 0; line < 2001; line++) await long.add(`line ${line}`)
    for (let line = 0; line < 995; line++) await long.add(`more ${line}`)
    for (let line = 0; line < 5; line++) await other.add(`late ${line}`)
    for (let line = 0; line < 10; line++) await long.add(`most ${line}`)
    expect((await open()).lines).toContain('late 4')
  })

  test('keeps what is typed for the next session, for its owner alone', async () => {
    const history = await open()
    await history.add('one')
    await history.add('two')
    expect((await open()).lines).toEqual(['one', 'two'])
    expect(await modeOf(path)).toBe(0o600)
    expect(await modeOf(dirname(path))).toBe(0o700)
    expect(warnings).toEqual([])
  })

  test('leaves out what is empty, repeated, very long, or begins with a space', async () => {
    const history = await open()
    for (const line of ['one', '', '  ', 'one', ' secret', 'x'.repeat(9000), 'two', 'one'])
      await history.add(line)
    expect(await text()).toBe('one\ntwo\none\n')
  })

  test('takes a file that others can read back for its owner', async () => {
    await mkdir(dirname(path))
    await writeFile(path, 'old\n')
    await chmod(path, 0o644)
    expect((await open()).lines).toEqual(['old'])
    expect(await modeOf(path)).toBe(0o600)
  })

  test('is cut to its last 1000 lines when it is opened', async () => {
    await mkdir(dirname(path))
    await writeFile(path, Array.from({ length: 1500 }, (_, index) => `line ${index}\n`).join(''))
    const history = await open()
    expect([history.lines.length, history.lines.at(0), history.lines.at(-1)]).toEqual([
      1000,
      'line 500',
      'line 1499',
    ])
    expect(await text()).toMatch(/^line 500\n/)
    expect(await modeOf(path)).toBe(0o600)
  })

  test('stays bounded in lines and bytes while a session adds to it', async () => {
    const history = await open()
    for (let index = 0; index < 2500; index++) await history.add(`line ${index}`)
    expect(history.lines.length).toBeLessThanOrEqual(2000)
    for (let index = 0; index < 200; index++) await history.add(`${index} ${'x'.repeat(8000)}`)
    expect((await stat(path)).size).toBeLessThanOrEqual(2 * 256 * 1024)
    expect(await text()).toBe(history.lines.map((line) => `${line}\n`).join(''))
  })

  test('of a place that cannot be written is one of the session, and says so once', async () => {
    await writeFile(join(directory, 'state'), 'a file')
    const history = await open()
    await history.add('one')
    await history.add('two')
    expect(history.lines).toEqual(['one', 'two'])
    expect(warnings).toEqual([expect.stringMatching(/^the history is not kept: EEXIST/)])
  })
})
