import assert from 'node:assert/strict'
import { rejection, type Statements } from './contract-test.ts'

/** Passes what a caller without types could pass. */
function untyped<T>(value: unknown): T {
  return value as T
}

/** What a sandbox must do with arguments that are none. */
export const invalidArguments: Statements = {
  'rejects invalid names of variables, and runs nothing': async ({ sandbox, directory }) => {
    for (const name of ['', 'a b', '1a', 'a;b', 'a=b', 'é']) {
      const call = () => sandbox.execute(`echo x > '${directory}/ran'`, { env: { [name]: 'x' } })
      assert.equal((await rejection(call)).code, 'INVALID_CONFIG', name)
    }
    assert.deepEqual(await sandbox.listFiles(directory), [])
  },

  'rejects options of commands that are not known, and runs nothing': async ({ sandbox, directory }) => {
    const command = `echo x > '${directory}/ran'`
    const options = untyped<object>({ notKnown: 1 })
    const refused = { code: 'INVALID_CONFIG', at: 'notKnown' }
    assert.deepEqual(await rejection(() => sandbox.execute(command, options)), refused)
    assert.deepEqual(await rejection(() => sandbox.executeCode(command, 'sh', options)), refused)
    assert.deepEqual(await rejection(() => sandbox.executeMany([command], options)), refused)
    assert.deepEqual(await sandbox.listFiles(directory), [])
  },

  'rejects invalid names of languages, and runs nothing': async ({ sandbox, directory }) => {
    for (const language of ['', 'sh -c', './sh', '/bin/sh', 'sh;true', '$(true)', '-c', 'sh\n', '..']) {
      const call = () => sandbox.executeCode(`echo x > '${directory}/ran'`, language)
      assert.deepEqual(await rejection(call), { code: 'INVALID_CONFIG', at: 'language' }, language)
    }
    assert.deepEqual(await sandbox.listFiles(directory), [])
  },

  'rejects timeouts that are not positive numbers': async ({ sandbox }) => {
    for (const timeout of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, untyped<number>('1')]) {
      assert.deepEqual(await rejection(() => sandbox.execute('true', { timeout })), {
        code: 'INVALID_CONFIG',
        at: 'timeout',
      })
    }
  },

  'rejects paths that are empty, have a NUL or are not strings': async ({ sandbox }) => {
    for (const path of ['', 'a\0b', untyped<string>(undefined), untyped<string>(7)]) {
      const refused = { code: 'INVALID_CONFIG', at: 'path' }
      assert.deepEqual(await rejection(() => sandbox.readFile(path)), refused)
      assert.deepEqual(await rejection(() => sandbox.writeFile(path, new Uint8Array(0))), refused)
      assert.deepEqual(await rejection(() => sandbox.removeFile(path)), refused)
      assert.deepEqual(await rejection(() => sandbox.listFiles(path)), refused)
      assert.deepEqual(await rejection(() => sandbox.exists(path)), refused)
      assert.deepEqual(await rejection(() => sandbox.stat(path)), refused)
      assert.deepEqual(await rejection(() => sandbox.makeDirectory(path)), refused)
      assert.deepEqual(await rejection(() => sandbox.appendFile(path, new Uint8Array(0))), refused)
      assert.deepEqual(await rejection(() => sandbox.importDirectory('.', path)), refused)
      assert.deepEqual(await rejection(() => sandbox.exportDirectory(path, '.')), refused)
      for (const act of ['move', 'copy'] as const) {
        assert.deepEqual(await rejection(() => sandbox[act](path, 'a')), {
          code: 'INVALID_CONFIG',
          at: 'from',
        })
        assert.deepEqual(await rejection(() => sandbox[act]('a', path)), { code: 'INVALID_CONFIG', at: 'to' })
      }
    }
  },

  'rejects to move or remove the root, and what "." and ".." name': async ({ sandbox }) => {
    for (const path of ['/', '//', '.', './', '..', '/tmp/.', '/tmp/../']) {
      assert.deepEqual(await rejection(() => sandbox.removeFile(path, { recursive: true })), {
        code: 'INVALID_CONFIG',
        at: 'path',
      })
      assert.deepEqual(await rejection(() => sandbox.move(path, 'a')), { code: 'INVALID_CONFIG', at: 'from' })
    }
  },

  'rejects options of transfers that are not known or not valid': async ({ sandbox, directory }) => {
    const options = { maxFiles: 0, maxBytes: -1, exclude: '*', signal: {}, onProgress: 'x', notKnown: 1 }
    for (const [at, value] of Object.entries(options)) {
      const given = untyped<object>({ [at]: value })
      const refused = { code: 'INVALID_CONFIG', at }
      assert.deepEqual(await rejection(() => sandbox.importDirectory('.', directory, given)), refused)
      assert.deepEqual(await rejection(() => sandbox.exportDirectory(directory, '.', given)), refused)
    }
    assert.deepEqual(await sandbox.listFiles(directory), [])
  },

  'rejects contents that are not bytes and commands that are not strings': async ({ sandbox, directory }) => {
    const write = () => sandbox.writeFile(`${directory}/x`, untyped<Uint8Array>('text'))
    assert.deepEqual(await rejection(write), { code: 'INVALID_CONFIG', at: 'content' })
    for (const command of [untyped<string>(null), untyped<string>(['ls']), 'a\0b']) {
      assert.deepEqual(await rejection(() => sandbox.execute(command)), {
        code: 'INVALID_CONFIG',
        at: 'command',
      })
    }
  },
}
