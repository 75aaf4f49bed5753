import { posix } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rewriteCommand } from '../../../../../worker/engines/strands/guards/rewrite.ts'
import { effectsOf } from '../../../../../worker/engines/strands/mirror/effects.ts'
import type { NativeShell } from '../../../../../worker/engines/strands/native-shell.ts'
import { ancestorsOf } from '../../../../../worker/host-files/paths.ts'
import { Engine } from '../guards/engine.ts'
import { random, randomCommand } from './effects-grammar.ts'

/** More of them, and other ones, by hand: `EFFECTS_COMMANDS=5000 EFFECTS_SEED=7 npx vitest run …`. */
const COMMANDS = Number(process.env['EFFECTS_COMMANDS'] ?? 400)
const SEED = Number(process.env['EFFECTS_SEED'] ?? 1)
/** Commands that share a session, so that each finds what those before it left. */
const SESSION = 16

const SETTLE = "'cd'; 'set' +e +u +x"
const FILES = "'ls' -laR /tmp /home/lash; 'find' /tmp /home/lash -type f -exec 'cat' {} +"
const MEANINGS = "'type' ls cat t f touch; 'alias'; 'trap'"

let engine: Engine
beforeAll(() => {
  engine = Engine.start()
})
afterAll(() => engine.stop())

async function session(): Promise<NativeShell> {
  const shell = await engine.guardedShell(['timeout', 1])
  await shell.run('mkdir d /tmp/x; echo a > f; echo a > d/g; ln -s f l; echo "touch z; alias ls=pwd" > s')
  return shell
}

/** What a command changes of what `look` prints; a session that is lost tells nothing. */
async function changes(shell: NativeShell, command: string, look: string): Promise<string[] | 'lost'> {
  try {
    await shell.run(SETTLE)
    const before = (await shell.run(look)).stdout
    await shell.run(command)
    await shell.run(SETTLE)
    const after = (await shell.run(look)).stdout
    return before === after ? [] : [before, after]
  } catch {
    // The engine panicked: `[` inside backquotes can do that.
    return 'lost'
  }
}

it('never underestimates what random commands do', {
  timeout: 60_000 + COMMANDS * 100,
}, async () => {
  const next = random(SEED)
  const heard = { none: 0, files: 0, unknown: 0, hidden: 0 }
  let shell = await session()
  for (let at = 1; at <= COMMANDS; at++) {
    const text = rewriteCommand(randomCommand(next))
    const { kind } = effectsOf(text)
    heard[kind]++
    if (kind === 'unknown' || kind === 'hidden') continue
    const changed = await changes(shell, text, kind === 'none' ? FILES : MEANINGS)
    if (changed === 'lost' || at % SESSION === 0) shell = await session()
    if (changed !== 'lost') expect({ text, kind, changed }).toEqual({ text, kind, changed: [] })
  }
  expect(heard.none).toBeGreaterThan(COMMANDS / 8)
  expect(heard.files).toBeGreaterThan(COMMANDS / 16)
})

/** What is at each path, without the times. */
async function entries(shell: NativeShell): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const section of (await shell.run("'ls' -laR /tmp /home/lash")).stdout.split('\n\n')) {
    const [head = '', ...lines] = section.split('\n')
    for (const line of lines) {
      const [, mode, name] = /^(\S{10}) +\d+ .{12} (.*)$/.exec(line) ?? []
      if (mode === undefined) continue
      const path = `${head.slice(0, -1)}/${name}`
      const content = mode.startsWith('-')
        ? Buffer.from(await shell.readFile(path).catch(() => 'unreadable'))
        : ''
      found.set(path, `${mode} ${content}`)
    }
  }
  return found
}

it('never changes another path than the text of a command tells', {
  timeout: 60_000 + COMMANDS * 100,
}, async () => {
  const next = random(SEED + 1)
  let shell = await session()
  let told = 0
  for (let at = 1; at <= COMMANDS * 4; at++) {
    const text = rewriteCommand(randomCommand(next))
    const { kind, reach } = effectsOf(text)
    if (kind !== 'files' || reach === 'anything') continue
    await shell.run(SETTLE)
    const before = await entries(shell)
    const isLink = (path: string) => before.get(path)?.startsWith('l') ?? false
    const directories = reach.directories === 'unknown' ? undefined : ['/home/lash', ...reach.directories]
    const paths = reach.paths.flatMap(({ path, below }) =>
      (path.startsWith('/') ? [''] : (directories ?? [])).map((from) => ({
        path: posix.normalize(`${from}/${path}`).replace(/\/$/, ''),
        below,
      })),
    )
    const isUncertain =
      (directories === undefined && reach.paths.some(({ path }) => !path.startsWith('/'))) ||
      paths.some(
        ({ path }) => isLink(path) || ancestorsOf(path.slice(1)).some((above) => isLink(`/${above}`)),
      )
    if (isUncertain) continue
    told++
    try {
      await shell.run(text)
      await shell.run(SETTLE)
    } catch {
      shell = await session() // The engine panicked.
      continue
    }
    const after = await entries(shell)
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) => before.get(path) !== after.get(path),
    )
    const untold = changed.filter(
      (changedPath) =>
        !paths.some(
          ({ path, below }) =>
            path === changedPath ||
            path.startsWith(`${changedPath}/`) ||
            (below && changedPath.startsWith(`${path}/`)),
        ),
    )
    expect({ text, reach, untold }).toEqual({ text, reach, untold: [] })
    if (told % SESSION === 0) shell = await session()
  }
  expect(told).toBeGreaterThan(COMMANDS / 16)
})

it.each([
  ['{ echo a; } >&2', 'a file named 2'],
  ['if true; then\necho a > in\nuniq in\ncat x\nfi', 'a file by a swallowed line break'],
  ['cat <<"E F"\na\n\ntouch x\nE F', 'a body that runs'],
  ["cat <<'E' |\ntouch x\nE\ncat", 'a body behind a pipe that runs'],
  ["echo $(echo ')' a ' ; touch x ; echo ' c) # '", 'brackets counted without quotes'],
])('the engine does what %j is not trusted for: %s', async (command) => {
  const text = rewriteCommand(command)
  expect(effectsOf(text).kind).not.toBe('none')
  expect(await changes(await session(), text, FILES)).toEqual([expect.any(String), expect.any(String)])
})
