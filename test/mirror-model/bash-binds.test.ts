import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EngineShell } from '../../worker/service/engine-shell.ts'
import { cases } from '../support/tier.ts'
import { openShell } from '../worker/engines/bash/open-shell.ts'
import { type Call, calls, operationsFor, Texts } from './acts.ts'
import { doOnHost, readHost } from './host-side.ts'
import { apply, type Operation, shown, type Tree } from './model.ts'
import { commandFor, quoted } from './sandbox-side.ts'
import { assertSucceeded } from './succeeded.ts'

const seed = process.env['MIRROR_SEED']

/** The model has new copies with the permission bits of new files. */
function commandOf(operation: Operation): string {
  if (operation.do !== 'copy') return commandFor('/work', operation)
  return `cat ${quoted(`/work/${operation.path}`)} > ${quoted(`/work/${operation.to}`)}`
}

async function perform(shell: EngineShell, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    const command = commandOf(operation)
    const outcome = await shell.run({ command })
    assertSucceeded(outcome, command)
  }
}

/** The `mv` of just-bash looks at what a link leads to, and does not move one that leads nowhere. */
function isMeant({ do: what, path }: Operation, tree: Tree): boolean {
  return what !== 'ahead' && !(what === 'move' && tree.get(path)?.kind === 'link')
}

/** What of the acts is possible, applied to the tree. */
function resolve(acts: Call['sandbox'], tree: Tree, texts: Texts): Operation[] {
  return acts.flatMap((act) => {
    const operations = operationsFor(act, tree, texts).filter((operation) => isMeant(operation, tree))
    for (const operation of operations) apply(tree, operation)
    return operations
  })
}

async function check(mode: 'direct' | 'copy', sequence: readonly Call[]): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'bash-model-'))
  try {
    const texts = new Texts()
    const model: Tree = new Map()
    for (const { host, sandbox } of sequence) {
      const shell = await openShell({
        binds: [{ source: root, destination: '/work', mode, readonly: false }],
      })
      for (const operation of resolve(host, model, texts)) doOnHost(root, operation, false)
      const before = shown(model)
      const operations = resolve(sandbox, model, texts)
      await perform(shell, operations)
      const said = JSON.stringify(operations)
      const after = shown(model)
      if (mode === 'copy') {
        assert.deepEqual(shown(readHost(root)), before, `the host, before ${said} is applied`)
        const applied = await shell.applyChanges?.({ bind: '/work' })
        assert.deepEqual(applied?.ok && applied.value.conflicts, [], said)
      }
      assert.deepEqual(shown(readHost(root)), after, `the host, after ${said}`)
      await checkChanges(shell, before, after)
      shell.close()
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Whatever differs is told, and how. */
async function checkChanges(
  shell: EngineShell,
  before: Record<string, string>,
  after: Record<string, string>,
): Promise<void> {
  const outcome = await shell.changes?.(undefined)
  assert.ok(outcome?.ok)
  const told = new Map(outcome.value.changes.map(({ path, change }) => [path.slice('/work/'.length), change]))
  for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[path], after[path]]
    if (was !== is)
      assert.equal(
        told.get(path),
        was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
        path,
      )
  }
}

it.each(['direct', 'copy'] as const)('a %s bind of a bash sandbox does what the model does', async (mode) => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(calls(false), async (sequence) => {
      runs += 1
      await check(mode, sequence)
    }),
    { numRuns: cases(12), endOnFailure: false, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  )
  expect(runs).toBeGreaterThan(0)
})
