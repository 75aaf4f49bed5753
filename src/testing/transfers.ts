import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rejection, type Statements } from './contract-test.ts'
import { treeOf } from './file-trees.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)

/** What a sandbox must do where a directory is copied to it or from it. */
export const transfers: Statements = {
  'takes in a directory of the host, and follows no link of it': ({ sandbox, directory }) =>
    withHost(async (host) => {
      await writeFile(join(host, 'a b'), 'text')
      await mkdir(join(host, 'sub', 'empty'), { recursive: true })
      await writeFile(join(host, 'sub', 'run'), 'echo ran')
      await chmod(join(host, 'sub', 'run'), 0o755)
      await symlink('/etc', join(host, 'sub', 'link'))
      await sandbox.writeText(`${directory}/in/kept`, 'kept')
      const seen: string[] = []
      const report = await sandbox.importDirectory(host, `${directory}/in`, {
        onProgress: ({ path }) => seen.push(path),
      })
      assert.deepEqual(report, {
        files: 2,
        directories: 2,
        bytes: 12,
        skipped: [{ path: 'sub/link', reason: 'link' }],
      })
      assert.deepEqual(seen.sort(), ['a b', 'sub', 'sub/empty', 'sub/run'])
      assert.deepEqual(await treeOf(sandbox, `${directory}/in`), {
        'a b': 'text',
        kept: 'kept',
        'sub/': '',
        'sub/empty/': '',
        'sub/run': 'echo ran',
      })
      const modes = [await sandbox.stat(`${directory}/in/sub/run`), await sandbox.stat(`${directory}/in/a b`)]
      assert.deepEqual(
        modes.map(({ mode }) => mode & 0o100),
        [0o100, 0],
      )
    }),

  'takes in a directory while the current one is gone': ({ sandbox, directory }) =>
    withHost(async (host) => {
      await writeFile(join(host, 'run'), 'echo ran')
      await chmod(join(host, 'run'), 0o755)
      await sandbox.execute(
        `mkdir -p '${directory}/gone' && cd '${directory}/gone' && rmdir '${directory}/gone'`,
      )
      await sandbox.importDirectory(host, `${directory}/in`)
      assert.deepEqual((await sandbox.stat(`${directory}/in/run`)).mode & 0o100, 0o100)
    }),

  'gives a directory to the host, and no link of it': ({ sandbox, directory }) =>
    withHost(async (host) => {
      await sandbox.writeFile(`${directory}/out/bytes`, everyByte)
      await sandbox.writeText(`${directory}/out/sub/run`, 'echo ran')
      await sandbox.makeDirectory(`${directory}/out/sub/empty`)
      await sandbox.execute(`cd '${directory}/out/sub' && chmod 755 run && ln -s / link`)
      await writeFile(join(host, 'kept'), 'kept')
      const target = join(host, 'new', 'place')
      const report = await sandbox.exportDirectory(`${directory}/out`, target)
      assert.deepEqual(report, {
        files: 2,
        directories: 2,
        bytes: 264,
        skipped: [{ path: 'sub/link', reason: 'link' }],
      })
      assert.deepEqual([...(await readFile(join(target, 'bytes')))], [...everyByte])
      assert.deepEqual((await readdir(join(target, 'sub'))).sort(), ['empty', 'run'])
      const executable = await Promise.all(
        ['bytes', 'sub/run'].map(async (rel) => (await stat(join(target, rel))).mode & 0o100),
      )
      assert.deepEqual(executable, [0, 0o100])
    }),

  'gives nothing to a place that a link of the host leads to': ({ sandbox, directory }) =>
    withHost(async (host) => {
      await sandbox.writeText(`${directory}/out/sub/file`, 'x')
      await sandbox.writeText(`${directory}/out/file`, 'new')
      await mkdir(join(host, 'target'))
      await mkdir(join(host, 'outside'))
      await writeFile(join(host, 'outside', 'file'), 'old')
      await symlink(join(host, 'outside'), join(host, 'target', 'sub'))
      await symlink(join(host, 'outside', 'file'), join(host, 'target', 'file'))
      const { files, skipped } = await sandbox.exportDirectory(`${directory}/out`, join(host, 'target'))
      assert.deepEqual({ files, skipped }, { files: 1, skipped: [{ path: 'sub', reason: 'taken' }] })
      assert.equal(await readFile(join(host, 'target', 'file'), 'utf8'), 'new')
      assert.deepEqual(await readdir(join(host, 'outside')), ['file'])
      assert.equal(await readFile(join(host, 'outside', 'file'), 'utf8'), 'old')
    }),

  'transfers leave out what is excluded, and keep their bounds': ({ sandbox, directory }) =>
    withHost(async (host) => {
      await mkdir(join(host, 'from', 'node_modules'), { recursive: true })
      await writeFile(join(host, 'from', 'node_modules', 'x'), 'x'.repeat(1000))
      await writeFile(join(host, 'from', 'file'), 'kept')
      const exclude = ['node_modules/']
      const path = `${directory}/in`
      const report = { files: 1, directories: 0, bytes: 4, skipped: [] }
      const bounds = { exclude, maxFiles: 1, maxBytes: 4 }
      assert.deepEqual(await sandbox.importDirectory(join(host, 'from'), path, bounds), report)
      await sandbox.writeText(`${path}/node_modules/x`, 'x'.repeat(1000))
      assert.deepEqual(await sandbox.exportDirectory(path, join(host, 'to'), bounds), report)
      for (const options of [{ maxFiles: 1 }, { maxBytes: 4 }]) {
        const taken = () => sandbox.importDirectory(join(host, 'from'), `${directory}/other`, options)
        const given = () => sandbox.exportDirectory(path, join(host, 'other'), options)
        assert.deepEqual(await rejection(taken), { code: 'LIMIT_EXCEEDED' })
        assert.deepEqual(await rejection(given), { code: 'LIMIT_EXCEEDED' })
      }
    }),

  'a transfer of what is no directory is rejected, and so is an aborted one': ({ sandbox, directory }) =>
    withHost(async (host) => {
      await writeFile(join(host, 'file'), 'x')
      await sandbox.writeText(`${directory}/file`, 'x')
      for (const hostPath of [join(host, 'none'), join(host, 'file')]) {
        const taken = () => sandbox.importDirectory(hostPath, `${directory}/in`)
        assert.deepEqual(await rejection(taken), { code: 'PATH_NOT_FOUND', at: hostPath })
      }
      for (const path of [`${directory}/none`, `${directory}/file`]) {
        const given = () => sandbox.exportDirectory(path, join(host, 'new'))
        assert.deepEqual(await rejection(given), { code: 'PATH_NOT_FOUND', at: path })
      }
      const signal = AbortSignal.abort()
      const aborted = [
        () => sandbox.importDirectory(host, `${directory}/in`, { signal }),
        () => sandbox.exportDirectory(directory, join(host, 'new'), { signal }),
      ]
      for (const call of aborted) assert.deepEqual(await rejection(call), { code: 'ABORTED' })
      assert.deepEqual(await readdir(host), ['file'])
    }),
}

/** Gives a directory of the host that is there meanwhile. */
async function withHost(act: (host: string) => Promise<void>): Promise<void> {
  const host = await mkdtemp(join(tmpdir(), 'contract-'))
  try {
    await act(host)
  } finally {
    await rm(host, { recursive: true, force: true })
  }
}
