import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { bashEngineAt } from '../../src/engines/bash/bash-engine.ts'
import { resolveJustBash } from '../../src/engines/bash/find-just-bash.ts'
import { ShellHost } from '../../src/index.ts'
import { OpenRequest } from '../../src/places/open-request.ts'
import { ThreadPlaces } from '../../src/places/threads/thread-places.ts'
import { noJails } from '../support/jail.ts'

it('an engine that could not be loaded is loaded in another thread: Node keeps in each that it failed', async () => {
  const bundle = fileURLToPath(await resolveJustBash())
  const directory = mkdtempSync(join(tmpdir(), 'engine-load-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const entry = join(directory, 'index.js')
  copyFileSync(bundle, entry)
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  const chunks = readdirSync(join(dirname(bundle), 'chunks')).map((name) => join('chunks', name))
  mkdirSync(join(directory, 'chunks'))
  for (const chunk of chunks) symlinkSync(join(dirname(bundle), chunk), join(directory, chunk))
  const [, imported = ''] = /from"\.\/([^"]*)"/.exec(readFileSync(bundle, 'utf8')) ?? []
  rmSync(join(directory, imported))
  writeFileSync(join(directory, imported), "throw new Error('EMFILE: too many open files')")
  const source = { engine: 'bash', kind: 'module', path: pathToFileURL(entry).href } as const
  const engine = bashEngineAt(source, 64 * 2 ** 20)
  const places = new ThreadPlaces({
    engine,
    ...{ capacity: 4, maxThreads: 8, warm: 0, maxIdle: 4, idleTimeout: 60 },
    workerUrl: undefined,
  })
  onTestFinished(() => places.close())
  const open = () => places.open(new OpenRequest(engine, engine.blank))
  await expect(open()).rejects.toMatchObject({ code: 'WORKER_LOST', cause: { code: 'WORKER_FAILED' } })
  copyFileSync(join(dirname(bundle), imported), join(directory, imported))
  const place = await open()
  place.endpoint.close()
  place.release()
})

it.each([['bash', 'bash.cjs'], ...(noJails === undefined ? [['jail', 'jail.cjs'] as const] : [])] as const)(
  'a worker entry that was copied alone names what it lacks for %s',
  async (shell, file) => {
    const directory = mkdtempSync(join(tmpdir(), 'entry-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const entry = join(directory, 'worker.cjs')
    copyFileSync(fileURLToPath(new URL('../../dist/worker/entry.cjs', import.meta.url)), entry)
    await using host = new ShellHost({ isolation: 'shared', workerUrl: pathToFileURL(entry) })
    await expect(host.open({ shell })).rejects.toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringContaining(`the file '${file}' of this package next to the worker entry`),
    })
  },
)
