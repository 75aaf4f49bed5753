import assert from 'node:assert/strict'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { rejection, type Statements } from './contract-test.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)
/** Names that a shell could take for something else. */
const oddNames = ['a b', "it's", '-rf', '$HOME', '*', 'a\\b', '漢字 é', '.hidden']

/** What a sandbox must do with whole files and directories. */
export const fileTrees: Statements = {
  'tells whether something is there': async ({ sandbox, directory }) => {
    await sandbox.writeText(`${directory}/sub/file`, 'x')
    const there = await each(['sub', 'sub/file', 'none', 'none/below', 'sub/file/below'], (rel) =>
      sandbox.exists(`${directory}/${rel}`),
    )
    assert.deepEqual(there, [true, true, false, false, false])
  },

  'tells kind, size and permissions, and the time to the day at least': async ({ sandbox, directory }) => {
    await sandbox.writeFile(`${directory}/sub/file`, everyByte)
    await sandbox.execute(`chmod 640 '${directory}/sub/file'; chmod 750 '${directory}/sub'`)
    const { modified, ...file } = await sandbox.stat(`${directory}/sub/file`)
    assert.deepEqual(file, { kind: 'file', size: 256, mode: 0o640 })
    assert.ok(Math.abs(Date.now() - modified) < 2 * 86_400_000, `the time is ${modified}`)
    const { kind, mode } = await sandbox.stat(`${directory}/sub/`)
    assert.deepEqual([kind, mode], ['directory', 0o750])
  },

  'tells a link as itself, also where it leads nowhere': async ({ sandbox, directory }) => {
    await sandbox.execute(`cd '${directory}' && ln -s none link`)
    assert.equal((await sandbox.stat(`${directory}/link`)).kind, 'link')
    assert.equal(await sandbox.exists(`${directory}/link`), true)
  },

  'makes a directory and those that lead to it; one that is there is fine': async ({
    sandbox,
    directory,
  }) => {
    await sandbox.makeDirectory(`${directory}/a/b`)
    await sandbox.writeText(`${directory}/a/b/file`, 'x')
    await sandbox.makeDirectory(`${directory}/a/b`)
    await sandbox.makeDirectory(`${directory}/a/c/`)
    assert.deepEqual(await treeOf(sandbox, directory), { 'a/': '', 'a/b/': '', 'a/b/file': 'x', 'a/c/': '' })
    assert.deepEqual(await rejection(() => sandbox.makeDirectory(`${directory}/a/b/file`)), {
      code: 'IO_ERROR',
      at: `${directory}/a/b/file`,
    })
    assert.deepEqual(await rejection(() => sandbox.makeDirectory(`${directory}/a/b/file/c`)), {
      code: 'PATH_NOT_FOUND',
      at: `${directory}/a/b/file/c`,
    })
  },

  'moves files and directories, and makes the directories that lead there': async ({
    sandbox,
    directory,
  }) => {
    const at = (rel: string) => `${directory}/${rel}`
    await sandbox.writeFile(at('one'), everyByte)
    await sandbox.writeText(at('sub/deep/file'), 'x')
    await sandbox.move(at('one'), at('new/place/two'))
    await sandbox.move(at('sub'), at('new/sub'))
    assert.deepEqual([...(await sandbox.readFile(at('new/place/two')))], [...everyByte])
    assert.deepEqual(Object.keys(await treeOf(sandbox, directory)), [
      'new/',
      'new/place/',
      'new/place/two',
      'new/sub/',
      'new/sub/deep/',
      'new/sub/deep/file',
    ])
  },

  'copies files and directories with any bytes and with permissions': async ({ sandbox, directory }) => {
    const at = (rel: string) => `${directory}/${rel}`
    await sandbox.writeFile(at('sub/deep/bytes'), everyByte)
    await sandbox.writeText(at('sub/run'), 'echo ran')
    await sandbox.execute(`chmod 750 '${directory}/sub/run'; cd '${directory}/sub' && ln -s deep link`)
    await sandbox.copy(at('sub'), at('new/copy'))
    await sandbox.copy(at('sub/run'), at('run'))
    assert.deepEqual([...(await sandbox.readFile(at('new/copy/deep/bytes')))], [...everyByte])
    assert.equal((await sandbox.stat(at('new/copy/run'))).mode, 0o750)
    assert.equal((await sandbox.stat(at('run'))).mode, 0o750)
    assert.equal((await sandbox.stat(at('new/copy/link'))).kind, 'link')
    await sandbox.writeText(at('new/copy/run'), 'changed')
    assert.equal(await sandbox.readText(at('sub/run')), 'echo ran')
  },

  'a file that is moved or copied replaces a file, and no directory': async ({ sandbox, directory }) => {
    const at = (rel: string) => `${directory}/${rel}`
    for (const act of ['move', 'copy'] as const) {
      await sandbox.writeText(at('from'), act)
      await sandbox.writeText(at('to'), 'a longer text that was there')
      await sandbox.writeText(at('sub/kept'), 'kept')
      assert.deepEqual(await rejection(() => sandbox[act](at('from'), at('sub'))), {
        code: 'IO_ERROR',
        at: at('sub'),
      })
      await sandbox[act](at('from'), at('to'))
      assert.equal(await sandbox.readText(at('to')), act)
      assert.equal(await sandbox.exists(at('from')), act === 'copy')
      assert.deepEqual(await treeOf(sandbox, at('sub')), { kept: 'kept' })
    }
  },

  'a directory that is moved or copied replaces nothing, and does not get into itself': async ({
    sandbox,
    directory,
  }) => {
    const at = (rel: string) => `${directory}/${rel}`
    await sandbox.writeText(at('sub/file'), 'x')
    await sandbox.writeText(at('other/kept'), 'kept')
    await sandbox.writeText(at('file'), 'y')
    const before = await treeOf(sandbox, directory)
    for (const act of ['move', 'copy'] as const) {
      for (const to of ['other', 'file', 'sub', 'sub/inner']) {
        assert.deepEqual(
          await rejection(() => sandbox[act](at('sub'), at(to))),
          { code: 'IO_ERROR', at: at(to) },
          to,
        )
      }
      assert.deepEqual(await rejection(() => sandbox[act](at('none'), at('new'))), {
        code: 'PATH_NOT_FOUND',
        at: at('none'),
      })
      assert.deepEqual(await rejection(() => sandbox[act](at('sub'), at('file/below'))), {
        code: 'PATH_NOT_FOUND',
        at: at('file/below'),
      })
    }
    assert.deepEqual(await treeOf(sandbox, directory), before)
  },

  'moves, copies and removes a link, and not what it leads to': async ({ sandbox, directory }) => {
    const at = (rel: string) => `${directory}/${rel}`
    await sandbox.writeText(at('sub/file'), 'x')
    await sandbox.execute(`cd '${directory}' && ln -s sub one && ln -s none two`)
    await sandbox.copy(at('one'), at('copied'))
    await sandbox.move(at('one'), at('moved'))
    await sandbox.move(at('two'), at('three'))
    const kinds = await each(['copied', 'moved', 'three'], async (rel) => (await sandbox.stat(at(rel))).kind)
    assert.deepEqual(kinds, ['link', 'link', 'link'])
    await sandbox.removeFile(at('copied'))
    await sandbox.removeFile(at('moved'), { recursive: true })
    await sandbox.removeFile(at('three'), { recursive: true })
    assert.deepEqual(await treeOf(sandbox, directory), { 'sub/': '', 'sub/file': 'x' })
  },

  'removes a directory with all that is in it, and nothing that links in it lead to': async ({
    sandbox,
    directory,
  }) => {
    const at = (rel: string) => `${directory}/${rel}`
    for (const name of oddNames) await sandbox.writeText(at(`sub/deep/${name}`), name)
    await sandbox.writeText(at('kept/file'), 'x')
    await sandbox.execute(`cd '${directory}/sub' && ln -s ../kept link`)
    assert.equal((await rejection(() => sandbox.removeFile(at('sub')))).code, 'IO_ERROR')
    assert.equal(
      (await rejection(() => sandbox.removeFile(at('sub'), { recursive: false }))).code,
      'IO_ERROR',
    )
    await sandbox.removeFile(at('sub'), { recursive: true })
    assert.deepEqual(await treeOf(sandbox, directory), { 'kept/': '', 'kept/file': 'x' })
    const missing = { code: 'PATH_NOT_FOUND', at: at('sub') }
    assert.deepEqual(await rejection(() => sandbox.removeFile(at('sub'), { recursive: true })), missing)
  },

  'appends any bytes, and makes the file and its directories': async ({ sandbox, directory }) => {
    const path = `${directory}/a/b/log`
    await sandbox.appendFile(path, everyByte)
    await sandbox.appendFile(path, new Uint8Array(0))
    await sandbox.appendFile(path, everyByte)
    assert.deepEqual([...(await sandbox.readFile(path))], [...everyByte, ...everyByte])
    assert.deepEqual(Object.keys(await treeOf(sandbox, directory)), ['a/', 'a/b/', 'a/b/log'])
    assert.deepEqual(await rejection(() => sandbox.appendFile(`${directory}/a`, everyByte)), {
      code: 'IO_ERROR',
      at: `${directory}/a`,
    })
    assert.deepEqual(await rejection(() => sandbox.appendFile(`${path}/below`, everyByte)), {
      code: 'PATH_NOT_FOUND',
      at: `${path}/below`,
    })
  },

  'appends that are made at once lose nothing': async ({ sandbox, directory }) => {
    const lines = Array.from({ length: 10 }, (_, index) => `line ${index}\n`)
    await Promise.all(lines.map((line) => sandbox.appendFile(`${directory}/log`, Buffer.from(line))))
    const found = (await sandbox.readText(`${directory}/log`)).split(/(?<=\n)/)
    assert.deepEqual(found.sort(), lines)
  },

  'moves, copies and removes what has any name': async ({ sandbox, directory }) => {
    for (const name of oddNames) {
      const at = (rel: string) => `${directory}/${rel}${name}`
      await sandbox.makeDirectory(at('d'))
      await sandbox.appendFile(`${at('d')}/${name}`, Buffer.from(name))
      await sandbox.copy(`${at('d')}/${name}`, at('c'))
      await sandbox.move(at('c'), at('m'))
      assert.equal(await sandbox.readText(at('m')), name)
      assert.equal((await sandbox.stat(at('m'))).size, Buffer.byteLength(name))
      await sandbox.removeFile(at('d'), { recursive: true })
      await sandbox.removeFile(at('m'), { recursive: true })
    }
    assert.deepEqual(await sandbox.listFiles(directory), [])
  },
}

async function each<T>(rels: readonly string[], act: (rel: string) => Promise<T>): Promise<T[]> {
  const found: T[] = []
  for (const rel of rels) found.push(await act(rel))
  return found
}

/** What is in a directory: text by relative path; directories end in a slash. */
export async function treeOf(sandbox: Sandbox, directory: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {}
  for (const { name, isDir } of await sandbox.listFiles(directory)) {
    if (isDir !== true) tree[name] = await sandbox.readText(`${directory}/${name}`)
    else {
      tree[`${name}/`] = ''
      for (const [rel, text] of Object.entries(await treeOf(sandbox, `${directory}/${name}`)))
        tree[`${name}/${rel}`] = text
    }
  }
  return Object.fromEntries(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)))
}
