import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MirrorError, StrandsShellSandbox } from '../../src/index.ts'
import { endedWell, runChild } from './run-child.ts'

const isRoot = process.getuid?.() === 0

/** A file system of 256 KiB, unless this machine lets nobody mount one. */
function mountSmall(): string | undefined {
  const root = mkdtempSync(join(tmpdir(), 'mirror-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', root], { stdio: 'ignore' })
  } catch {
    // Not root, or a container that may not mount: the test is skipped, and says so.
    rmSync(root, { recursive: true })
    return undefined
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', root])
    rmSync(root, { recursive: true })
  })
  return root
}

const names = Array.from({ length: 10 }, (_, index) => `file${index}`)

/** Writes them all, with 40,000 bytes each. */
function writeAll(mark: string): string {
  const write = names.map((name) => `printf '%s' "$TEXT" > /work/${name}`)
  return [`TEXT=${mark.repeat(40_000)}`, ...write, 'echo said'].join('\n')
}

function marksOf(root: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(root)
      .sort()
      .map((name) => {
        const text = readFileSync(`${root}/${name}`, 'utf8')
        return [name, /^(.)\1{39999}$/.exec(text)?.[1] ?? `${text.length} bytes`]
      }),
  )
}

it('reports what was and was not written when the disk is full, and writes the rest at the next call', async ({
  skip,
}) => {
  const root = mountSmall()
  if (root === undefined) return skip('nothing can be mounted here')
  await using sandbox = new StrandsShellSandbox({ binds: [{ source: root, destination: '/work' }] })
  const error: unknown = await sandbox.execute(writeAll('a')).catch((reason: unknown) => reason)
  if (!(error instanceof MirrorError)) throw new Error(`expected a MirrorError, got ${String(error)}`)
  const { written, pending, stdout, exitCode } = error
  expect({ stdout, exitCode }).toEqual({ stdout: 'said\n', exitCode: 0 })
  expect(written).toHaveLength(6)
  expect(pending).toHaveLength(4)
  expect(new Set(pending.map(({ reason }) => reason))).toEqual(new Set(['ENOSPC']))
  const all = [...written, ...pending.map(({ path }) => path)]
  expect(all.sort()).toEqual(names.map((name) => `/work/${name}`))
  const marks = (paths: readonly string[], mark: string) =>
    Object.fromEntries(paths.map((path) => [path.slice('/work/'.length), mark]))
  expect(marksOf(root)).toEqual(marks(written, 'a'))

  // A change that does not fit leaves the files on the host as they are.
  const again: unknown = await sandbox.execute('true').catch((reason: unknown) => reason)
  expect(again).toBeInstanceOf(MirrorError)
  expect(again).toMatchObject({ written: [], pending, exitCode: 0 })
  expect(marksOf(root)).toEqual(marks(written, 'a'))

  execFileSync('mount', ['-o', 'remount,size=2m', root])
  expect((await sandbox.execute('cat /work/file9 | wc -c')).stdout.trim()).toBe('40000')
  expect(marksOf(root)).toEqual(marks(all, 'a'))
  await sandbox.execute(writeAll('b'))
  expect(marksOf(root)).toEqual(marks(all, 'b'))
})

it('keeps the old file whole when its new content does not fit', async ({ skip }) => {
  const root = mountSmall()
  if (root === undefined) return skip('nothing can be mounted here')
  await using sandbox = new StrandsShellSandbox({ binds: [{ source: root, destination: '/work' }] })
  const write = (mark: string, times: number) => `printf '%s' ${mark.repeat(times)} > /work/file`
  await sandbox.execute(write('a', 40_000))
  await expect(sandbox.execute(write('b', 300_000))).rejects.toBeInstanceOf(MirrorError)
  expect(marksOf(root)).toEqual({ file: 'a' })
  await sandbox.execute(write('c', 40_000))
  expect(marksOf(root)).toEqual({ file: 'c' })
})

it('keeps changes pending while a directory must not be written', async ({ skip }) => {
  if (!isRoot) return skip('needs root, to give its rights away')
  const root = mkdtempSync(join(tmpdir(), 'mirror-unwritable-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(`${root}/bound`)
  expect(await runChild('mirror-unwritable', [root])).toEqual(
    endedWell(
      'unwritable: MirrorError 7 /work/a=EACCES /work/b=EACCES',
      'host: {"a":"old"}',
      'writable: 0',
      'host: {"b":"new"}',
      'protected: 0',
      'host: {"b":"new","d":"/555","d/in":"in","d/sub":"/555","d/sub/deep":"deep"}',
      'changed in it: 0',
      'host: {"b":"new","d":"/755","d/sub":"/755","d/sub/deep":"deeper"}',
    ),
  )
})
