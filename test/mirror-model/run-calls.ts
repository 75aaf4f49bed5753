import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { type Act, type Call, operationsFor, Texts } from './acts.ts'
import type { DirectSession } from './direct-session.ts'
import { doOnHost, readHost } from './host-side.ts'
import { apply, below, type Operation, shown, type Tree } from './model.ts'
import { commandFor, quoted, readSandbox } from './sandbox-side.ts'
import { assertSucceeded } from './succeeded.ts'

const ROOT = '/work'

/** Empties the host's side and has the sandbox follow. */
export async function startOver(session: DirectSession, root: string): Promise<void> {
  for (const name of readdirSync(root)) rmSync(`${root}/${name}`, { recursive: true, force: true })
  await succeed(session.run('true'))
  assert.deepEqual(shown(await readSandbox(session.shell, ROOT)), {}, 'the sandbox follows an emptied host')
}

/** Makes calls one after the other and compares both sides with the model after each. */
export async function runCalls(session: DirectSession, root: string, calls: readonly Call[]): Promise<void> {
  const texts = new Texts()
  let model: Tree = new Map()
  for (const call of calls) {
    for (const operation of resolve(call.host, model, texts)) {
      doOnHost(root, operation, call.restoreTimes)
    }
    if (call.meanwhile.length > 0) {
      model = await callWithConflicts(session, root, call, model, texts)
      continue
    }
    const operations = resolve(call.sandbox, model, texts).filter((each) => each.do !== 'ahead')
    if (call.style === 'files') await makeFileCalls(session, operations)
    await succeed(session.run(call.style === 'files' ? 'true' : commandOf(operations, call.style)))
    const said = JSON.stringify(operations)
    const expected = shown(model)
    assert.deepEqual(shown(await readSandbox(session.shell, ROOT)), expected, `the sandbox, after ${said}`)
    assert.deepEqual(shown(readHost(root)), expected, `the host, after ${said}`)
  }
}

/** Applies what acts come to to the tree, and says what that is. */
function resolve(
  acts: readonly Act[],
  tree: Tree,
  texts: Texts,
  isMeant: (operation: Operation, tree: Tree) => boolean = () => true,
): Operation[] {
  return acts.flatMap((act) => {
    const operations = operationsFor(act, tree, texts)
    if (!operations.every((each) => isMeant(each, tree))) return []
    for (const operation of operations) apply(tree, operation)
    return operations
  })
}

/** A link that the host made where the sandbox wrote is never replaced: that call fails, as tests of its own say. */
function makesNoLink(operation: Operation, tree: Tree): boolean {
  if (operation.do === 'link') return false
  if (operation.do !== 'move') return true
  return [...below(tree, operation.path).values()].every(({ kind }) => kind !== 'link')
}

function commandOf(operations: readonly Operation[], style: Call['style']): string {
  const commands = operations.map((operation) => commandFor(ROOT, operation))
  switch (style) {
    case 'and':
      return ['true', ...commands].join(' && ')
    case 'readers':
      return [
        'ls -la /work > /dev/null',
        ...commands.flatMap((each) => [each, 'find /work > /dev/null']),
      ].join('\n')
    case 'function':
      return `change() { :; ${commands.map((each) => `${each}; `).join('')} }; change`
    case 'cd':
      return `(cd /work && true ${commands.map((each) => ` && ${each}`).join('')})`
    default:
      return ['true', ...commands].join('\n')
  }
}

let fileCalls = 1_000_000

/** Writes and removals as file operations; the rest as commands, each of its own. */
async function makeFileCalls(session: DirectSession, operations: readonly Operation[]): Promise<void> {
  const { service } = session
  for (const operation of operations) {
    fileCalls += 1
    const path = `${ROOT}/${operation.path}`
    if (operation.do === 'write') {
      const content = new Uint8Array(Buffer.from(operation.text))
      const outcome = await service.writeFile(fileCalls, path, content)
      assert.ok(outcome.ok, `writeFile ${path}: ${JSON.stringify(outcome)}`)
      const read = await service.readFile(fileCalls, path)
      assert.ok(read.ok && Buffer.from(read.value).toString() === operation.text, `readFile ${path}`)
      continue
    }
    await succeed(session.run(commandFor(ROOT, operation)))
    const outcome = await service.listFiles(fileCalls, ROOT)
    assert.ok(outcome.ok, JSON.stringify(outcome))
  }
}

async function succeed(call: ReturnType<DirectSession['run']>): Promise<void> {
  assertSucceeded(await call)
}

/**
 * A call while which the host changes too. Nothing that either side wrote last may be lost: it is at its path or
 * beside it. After the next call both sides are equal.
 *
 * @returns what both sides have then.
 */
async function callWithConflicts(
  session: DirectSession,
  root: string,
  call: Call,
  before: Tree,
  texts: Texts,
): Promise<Tree> {
  const sandbox = new Map(before)
  const host = new Map(before)
  const inside = resolve(call.sandbox, sandbox, texts).filter((each) => each.do !== 'ahead')
  const outside = resolve(call.meanwhile, host, texts, makesNoLink)
  const outcome = await session.run(commandOf(inside, call.style === 'files' ? 'lines' : call.style), () => {
    for (const operation of outside) doOnHost(root, operation, false)
  })
  const said = `after ${JSON.stringify(inside)} while the host did ${JSON.stringify(outside)}`
  assert.ok(outcome.ok && outcome.value.exitCode === 0, `${JSON.stringify(outcome)} ${said}`)
  const after = readHost(root)
  checkNothingLost({ before, sandbox, host, after }, outcome.conflicts ?? [], outcome.value.stderr, said)
  const next = await session.run('true')
  assert.ok(next.ok && next.value.stderr === '', `${JSON.stringify(next)} ${said}`)
  const final = readHost(root)
  assert.deepEqual(shown(await readSandbox(session.shell, ROOT)), shown(final), `the next call, ${said}`)
  return final
}

interface Sides {
  readonly before: Tree
  readonly sandbox: Tree
  readonly host: Tree
  readonly after: Tree
}

function checkNothingLost(
  { before, sandbox, host, after }: Sides,
  conflicts: readonly { readonly path: string; readonly kept?: string }[],
  stderr: string,
  said: string,
): void {
  const texts = new Set([...after.values()].flatMap((entry) => (entry.kind === 'file' ? [entry.text] : [])))
  for (const [side, tree] of [
    ['sandbox', sandbox],
    ['host', host],
  ] as const) {
    for (const [path, entry] of tree) {
      if (entry.kind !== 'file' || entry.text === '') continue
      const old = before.get(path)
      if (old?.kind === 'file' && old.text === entry.text) continue
      assert.ok(texts.has(entry.text), `what the ${side} wrote to '${path}' is on the host, ${said}`)
    }
  }
  for (const [path, entry] of before) {
    if (isSame(entry, sandbox.get(path)) && isSame(entry, host.get(path)) && !wasRestored(path, said)) {
      assert.ok(
        isSame(entry, after.get(path)) || entry.kind !== 'file',
        `'${path}' was changed by neither, ${said}`,
      )
    }
  }
  for (const { path, kept } of conflicts) {
    assert.ok(stderr.includes(kept ?? path), `${JSON.stringify(stderr)} names '${kept ?? path}', ${said}`)
    if (kept !== undefined) assert.ok(after.has(kept.slice(ROOT.length + 1)), `'${kept}' is there, ${said}`)
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Whether an operation named the path, so that it may have gone and come again. */
function wasRestored(path: string, said: string): boolean {
  return said.includes(JSON.stringify(path)) || said.includes(quoted(path))
}
