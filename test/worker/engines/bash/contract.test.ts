import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { openMemory } from '../../../../worker/engines/bash/files/open-memory.ts'
import { loadJustBash } from '../../../../worker/engines/bash/load-just-bash.ts'
import { openInterpreter } from '../../../../worker/engines/bash/open-interpreter.ts'
import { startOn, stateOf } from '../../../../worker/engines/bash/session/interpreter-state.ts'
import { gatheredLast, watchStatements } from '../../../../worker/engines/bash/session/statement-output.ts'
import { Stop } from '../../../../worker/engines/bash/session/stop.ts'
import { bundle, freshLimits, openShell, run } from './open-shell.ts'

test('just-bash is the version whose private state is known', () => {
  const require = createRequire(import.meta.url)
  const path = require.resolve('just-bash').replace(/dist\/.*/, 'package.json')
  expect(require(path).version).toBe('3.4.2')
})

test('Bash.exec copies its state before it first waits, and nested ones read the old', async () => {
  const { Bash } = await loadJustBash(bundle)
  const bash = new Bash({ cwd: '/tmp', defenseInDepth: false })
  const state = { ...stateOf(bash), env: new Map([...stateOf(bash).env, ['x', 'mine']]) }
  const result = await startOn(bash, state, () => bash.exec('echo $x; echo - | xargs -I {} echo "$x-"'))
  expect(stateOf(bash).env.has('x')).toBe(false)
  expect(result.stdout).toBe('mine\nmine-\n')
})

test('sets of a state are shared with the running interpreter', async () => {
  const { Bash } = await loadJustBash(bundle)
  const bash = new Bash({ defenseInDepth: false })
  const state = { ...stateOf(bash), associativeArrays: new Set<string>() }
  await startOn(bash, state, () =>
    bash.exec('declare -A m=([a]=1); export E=1; readonly R=1; shopt -s nullglob'),
  )
  expect([...state.associativeArrays]).toEqual(['m'])
  expect([state.exportedVars.has('E'), state.readonlyVars.has('R'), state.shoptOptions['nullglob']]).toEqual([
    true,
    true,
    true,
  ])
})

test('a program loads its own code and not that of others', async () => {
  const shell = await openShell()
  expect(await run(shell, 'echo a | grep a | awk 1 | sed p | jq -R .')).toEqual([0, '"a"\n"a"\n', ''])
  const { cache } = createRequire(import.meta.url)
  // That of `html-to-markdown`.
  expect(Object.keys(cache).filter((path) => path.includes('turndown'))).toEqual([])
})

test('between two statements of a list, the output gathered last is that of the list', async () => {
  expect(await watchStatements(bundle)).toBe(true)
  const { Bash } = await loadJustBash(bundle)
  const bash = new Bash({ defenseInDepth: false })
  const seen: unknown[] = []
  bash.registerTransformPlugin({
    name: 'test',
    transform({ ast }) {
      const statements = ast.statements
      const watched = {
        *[Symbol.iterator]() {
          for (const statement of statements) {
            yield statement
            seen.push([gatheredLast()?.stdoutChunks.join(''), gatheredLast()?.stderrChunks.join('')])
          }
        },
      }
      return { ast: Object.defineProperty(ast, 'statements', { value: watched }) }
    },
  })
  await bash.exec('echo a; true; x=$(echo hidden); { echo b; echo c >&2; } | cat; break; nosuch')
  expect(seen).toEqual([
    ['a\n', ''],
    ['a\n', ''],
    ['a\n', ''],
    ['a\nb\n', 'c\n'],
    ['a\nb\n', expect.stringContaining('c\n')],
    ['a\nb\n', expect.stringContaining('nosuch')],
  ])
})

test('another version than the known one does not stream', async () => {
  expect(await watchStatements(new URL('elsewhere/index.js', bundle).href)).toBe(false)
})

test('an interpreter opens only where just-bash runs commands as the pinned version does', async () => {
  const justBash = await loadJustBash(bundle)
  const { Bash } = justBash
  expect(typeof Reflect.get(new Bash({ defenseInDepth: false }), 'execInScope')).toBe('function')
  class Other extends Bash {
    constructor(options?: ConstructorParameters<typeof Bash>[0]) {
      super(options)
      Reflect.set(this, 'execInScope', undefined)
    }
  }
  const open = (other: typeof justBash) =>
    openInterpreter({
      justBash: other,
      fs: openMemory(other, freshLimits, 0o022, (error) => error),
      cwd: '/',
      env: {},
      bounds: freshLimits,
      stop: new Stop(),
      python: false,
      network: undefined,
      commands: [],
      rules: undefined,
    })
  expect(() => open({ ...justBash, Bash: Other })).toThrow(
    'This just-bash runs commands in another way than 3.4.2.',
  )
})

test('what execInScope is given as env is exported to the command', async () => {
  const shell = await openShell()
  expect(
    await run(shell, "env GIVEN=1 bash -c 'echo $GIVEN'; echo x | xargs -I{} bash -c 'echo $HOME'"),
  ).toEqual([0, '1\n/home/user\n', ''])
})

test('PIPESTATUS is set by a builtin of just-bash', async () => {
  const { Bash } = await loadJustBash(bundle)
  const { stdout } = await new Bash({ defenseInDepth: false }).exec(
    '__just_bash_tee_restore 141 0; echo "$? ${PIPESTATUS[@]}"',
  )
  expect(stdout).toBe('0 141 0\n')
})
