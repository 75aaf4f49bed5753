import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { cases } from '../support/tier.ts'
import { type Act, type Call, calls, operationsFor, Texts } from './acts.ts'
import { doOnHost, readHost } from './host-side.ts'
import { apply, type Operation, shown, type Tree } from './model.ts'
import { commandFor, quoted } from './sandbox-side.ts'

const seed = process.env['MIRROR_SEED']
const host = new ShellHost({ isolation: 'worker' })
afterAll(() => host.close())

type Sandbox = Awaited<ReturnType<ShellHost['open']>>

/** What of the acts is possible, applied to the tree: what all shells do alike. */
function resolve(acts: readonly Act[], tree: Tree, texts: Texts): Operation[] {
  return acts.flatMap((act) => {
    const operations = operationsFor(act, tree, texts).filter(
      ({ do: what, path }) => what !== 'ahead' && !(what === 'move' && tree.get(path)?.kind === 'link'),
    )
    for (const operation of operations) apply(tree, operation)
    return operations
  })
}

async function perform(sandbox: Sandbox, operation: Operation): Promise<void> {
  const at = (path: string) => quoted(`/work/own/${path}`)
  const command =
    operation.do === 'copy'
      ? `cat ${at(operation.path)} > ${at(operation.to)}`
      : commandFor('/work/own', operation)
  const { exitCode, stderr } = await sandbox.execute(command)
  assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' }, command)
}

/**
 * A chain of sessions, each of which goes on from a snapshot of the one before. The sandbox changes `own`, and the host changes
 * `others` while no session is open.
 */
async function check(
  config: { readonly shell: 'bash' | 'strands'; readonly mode: 'direct' | 'copy' },
  chain: readonly Call[],
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'snapshot-model-'))
  const { shell, mode } = config
  const binds = [{ source: root, destination: '/work', mode }]
  let sandbox: Sandbox | undefined
  try {
    const [own, others, texts]: [Tree, Tree, Texts] = [new Map(), new Map(), new Texts()]
    for (const name of ['own', 'others']) mkdirSync(join(root, name))
    for (const { host: first } of chain)
      for (const operation of resolve(first, own, texts)) doOnHost(join(root, 'own'), operation, false)
    const before = shown(own)
    sandbox = await host.open({ shell, binds })
    for (const { host: acts, sandbox: inside } of chain) {
      for (const operation of resolve(inside, own, texts)) await perform(sandbox, operation)
      const snapshot = await sandbox.snapshot()
      await sandbox.close()
      for (const operation of resolve(acts, others, texts)) doOnHost(join(root, 'others'), operation, false)
      sandbox = await host.open({ shell, binds }, { snapshot })
      for (const [path, entry] of others)
        if (entry.kind === 'file') assert.equal(await sandbox.readText(`/work/others/${path}`), entry.text)
    }
    if (mode === 'copy') {
      assert.deepEqual(shown(readHost(join(root, 'own'))), before)
      assert.deepEqual((await sandbox.applyChanges({ bind: '/work' })).conflicts, [])
    }
    const after = shown(own)
    assert.deepEqual(shown(readHost(join(root, 'own'))), after)
    assert.deepEqual(shown(readHost(join(root, 'others'))), shown(others))
    const told = new Map((await sandbox.changes()).changes.map(({ path, change }) => [path, change]))
    for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, is] = [before[path], after[path]]
      const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed'
      if (was !== is) assert.equal(told.get(`/work/own/${path}`), change, path)
    }
  } finally {
    await sandbox?.close()
    rmSync(root, { recursive: true, force: true })
  }
}

it.each(
  (['bash', 'strands'] as const).flatMap((shell) =>
    (['direct', 'copy'] as const).map((mode) => ({ shell, mode })),
  ),
)('sessions of $shell that go on from snapshots do to a $mode bind what the model does', async (config) => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(calls(false), async (chain) => {
      runs += 1
      await check(config, chain)
    }),
    { numRuns: cases(10), endOnFailure: true, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  )
  expect(runs).toBeGreaterThan(0)
})
