import assert from 'node:assert/strict'
import { rejection, type Statements } from './contract-test.ts'

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)

/** Names that a shell could take for something else. */
const oddNames = [
  'a b',
  "it's",
  '"quoted"',
  '-rf',
  '--',
  '$HOME',
  '`x`',
  'a\\b',
  'a;b',
  '*',
  '#',
  '~',
  '漢字 é',
  '.hidden',
  '..x',
]

/** What a sandbox must do with files. */
export const files: Statements = {
  'a file round-trips any bytes': async ({ sandbox, directory }) => {
    await sandbox.writeFile(`${directory}/bytes`, everyByte)
    assert.deepEqual(bytesOf(await sandbox.readFile(`${directory}/bytes`)), [...everyByte])
  },

  'an empty file is a file': async ({ sandbox, directory }) => {
    await sandbox.writeFile(`${directory}/empty`, new Uint8Array(0))
    assert.equal((await sandbox.readFile(`${directory}/empty`)).byteLength, 0)
  },

  'a large file round-trips': async ({ sandbox, directory }) => {
    const large = Uint8Array.from({ length: 1_000_003 }, (_, index) => (index * 31) % 251)
    await sandbox.writeFile(`${directory}/large`, large)
    assert.ok(Buffer.from(await sandbox.readFile(`${directory}/large`)).equals(large))
  },

  'writing replaces what was there, and makes the directories that lead there': async ({
    sandbox,
    directory,
  }) => {
    const path = `${directory}/a/b/c`
    await sandbox.writeText(path, 'a longer first text')
    await sandbox.writeText(path, 'short')
    assert.equal(await sandbox.readText(path), 'short')
  },

  'writing copies: the caller keeps its buffer': async ({ sandbox, directory }) => {
    const content = Uint8Array.from([1, 2, 3])
    await sandbox.writeFile(`${directory}/mine`, content)
    assert.deepEqual([...content], [1, 2, 3])
  },

  'commands and file calls see the same files': async ({ sandbox, directory }) => {
    await sandbox.execute(`echo 'by command' > '${directory}/one'`)
    await sandbox.writeText(`${directory}/two`, 'by call\n')
    assert.equal(await sandbox.readText(`${directory}/one`), 'by command\n')
    assert.equal((await sandbox.execute(`cat '${directory}/two'`)).stdout, 'by call\n')
  },

  'accepts any file name': async ({ sandbox, directory }) => {
    for (const name of oddNames) await sandbox.writeText(`${directory}/${name}`, name)
    const listed = await sandbox.listFiles(directory)
    assert.deepEqual(listed.map(({ name }) => name).sort(), [...oddNames].sort())
    for (const name of oddNames) {
      assert.equal(await sandbox.readText(`${directory}/${name}`), name)
      await sandbox.removeFile(`${directory}/${name}`)
    }
    assert.deepEqual(await sandbox.listFiles(directory), [])
  },

  'a listing tells directories from files, hidden ones too, and leaves . and .. out': async ({
    sandbox,
    directory,
  }) => {
    await sandbox.writeText(`${directory}/sub/file`, 'x')
    await sandbox.writeText(`${directory}/.hidden`, 'x')
    const listed = await sandbox.listFiles(directory)
    const kinds = listed.map(({ name, isDir }) => [name, isDir]).sort()
    assert.deepEqual(kinds, [
      ['.hidden', false],
      ['sub', true],
    ])
    for (const { size } of listed) assert.ok(size === undefined || Number.isSafeInteger(size))
  },

  'rejects a missing path with SandboxPathNotFoundError and its path': async ({ sandbox, directory }) => {
    const path = `${directory}/none`
    const missing = { code: 'PATH_NOT_FOUND', at: path }
    assert.deepEqual(await rejection(() => sandbox.readFile(path)), missing)
    assert.deepEqual(await rejection(() => sandbox.readText(path)), missing)
    assert.deepEqual(await rejection(() => sandbox.removeFile(path)), missing)
    assert.deepEqual(await rejection(() => sandbox.listFiles(path)), missing)
  },

  'rejects listing what is not a directory': async ({ sandbox, directory }) => {
    await sandbox.writeText(`${directory}/file`, 'x')
    assert.deepEqual(await rejection(() => sandbox.listFiles(`${directory}/file`)), {
      code: 'PATH_NOT_FOUND',
      at: `${directory}/file`,
    })
  },

  'rejects reading or removing a directory, which stays': async ({ sandbox, directory }) => {
    await sandbox.writeText(`${directory}/sub/file`, 'x')
    const path = `${directory}/sub`
    assert.equal((await rejection(() => sandbox.readFile(path))).at, path)
    assert.equal((await rejection(() => sandbox.removeFile(path))).at, path)
    assert.equal(await sandbox.readText(`${directory}/sub/file`), 'x')
  },

  'text has an encoding, UTF-8 by default': async ({ sandbox, directory }) => {
    const path = `${directory}/text`
    await sandbox.writeText(path, 'é漢')
    assert.equal((await sandbox.readFile(path)).byteLength, 5)
    await sandbox.writeText(path, 'é', 'latin1')
    assert.deepEqual(bytesOf(await sandbox.readFile(path)), [0xe9])
    assert.equal(await sandbox.readText(path, 'latin1'), 'é')
    assert.equal((await rejection(() => sandbox.readText(path, 'no-such-encoding'))).code, 'INVALID_CONFIG')
  },
}

function bytesOf(content: Uint8Array): number[] {
  assert.ok(content instanceof Uint8Array)
  return [...content]
}
