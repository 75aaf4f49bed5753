import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { describeEngines } from '../support/describe-engines.ts'
import { engines } from '../support/engines.ts'
import { isFull } from '../support/tier.ts'
import { oddNames } from './odd-names.ts'

/** A directory of the host that the test's end removes. */
function hostDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'odd-names-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const namesIn = async (sandbox: Sandbox, directory: string) =>
  (await sandbox.listFiles(directory)).map(({ name }) => name)

/** With a byte order mark, which `readText()` drops. */
const textOf = async (sandbox: Sandbox, path: string) => Buffer.from(await sandbox.readFile(path)).toString()

describeEngines('files with odd names', ({ isolation, name: engine, capabilities, open }) => {
  // All of them where they cost least, once for each engine.
  const isOwn = isFull && isolation === engines.find(({ name }) => name === engine)?.level
  const names = oddNames(isOwn && !capabilities.ofMachine ? 1 : 199)
  const timeout = 600_000

  it(
    'are written, listed, read and removed by their names alone',
    async () => {
      const sandbox = await open()
      await sandbox.execute('mkdir /tmp/odd; echo kept > /tmp/kept; cd /tmp/odd')
      for (const name of names) {
        const path = `/tmp/odd/${name}`
        await sandbox.writeText(path, name)
        expect(await namesIn(sandbox, '/tmp/odd')).toEqual([name])
        expect(await textOf(sandbox, path)).toBe(name)
        await sandbox.removeFile(path)
      }
      expect(await namesIn(sandbox, '/tmp/odd')).toEqual([])
      expect((await sandbox.execute('cat /tmp/kept; pwd')).stdout).toBe('kept\n/tmp/odd\n')
    },
    timeout,
  )

  it(
    'are the same on the host in a bind',
    async () => {
      const source = hostDirectory()
      writeFileSync(join(source, 'kept'), 'kept')
      mkdirSync(join(source, 'odd'))
      const sandbox = await open({ binds: [{ source, destination: '/work' }] })
      for (const name of names) {
        const path = `/work/odd/${name}`
        await sandbox.writeText(path, name)
        expect(readdirSync(join(source, 'odd'))).toEqual([name])
        expect(readFileSync(join(source, 'odd', name), 'utf8')).toBe(name)
        await sandbox.removeFile(path)
        expect(readdirSync(join(source, 'odd'))).toEqual([])
      }
      expect(readdirSync(source)).toEqual(['kept', 'odd'])
      expect(await sandbox.readText('/work/kept')).toBe('kept')
    },
    timeout,
  )

  it(
    'of the host are those of a bind, in place and in a copy',
    async () => {
      const source = hostDirectory()
      const some = oddNames(199)
      for (const name of some) writeFileSync(join(source, name), name)
      const sandbox = await open({
        binds: [
          { source, destination: '/direct', readonly: true },
          { source, destination: '/copy', mode: 'copy' },
        ],
      })
      for (const bind of ['/direct', '/copy']) {
        expect((await namesIn(sandbox, bind)).toSorted()).toEqual(some.toSorted())
        for (const name of some) expect(await textOf(sandbox, `${bind}/${name}`)).toBe(name)
      }
      for (const name of some) await sandbox.removeFile(`/copy/${name}`)
      expect((await sandbox.changes()).changes.filter(({ bind }) => bind === '/copy').length).toBe(
        some.length,
      )
      expect(readdirSync(source).length).toBe(some.length)
      await sandbox.applyChanges({ bind: '/copy' })
      expect(readdirSync(source)).toEqual([])
    },
    timeout,
  )
})
