import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Hardening } from '../../../src/contract/isolation.ts'
import { SessionLoss, type ShellHostOptions } from '../../../src/index.ts'
import { until } from '../../faults/helpers.ts'
import { noCompiler, noJails } from '../../support/jail.ts'
import { cellEntry, cellHost } from './helpers.ts'

/** A directory that the test's end removes. */
function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'cell-jail-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** What code prints that runs in a cell, which ends with it. */
async function runInCell(code: string, options: ShellHostOptions = {}, config = {}): Promise<unknown> {
  const host = cellHost({ ...options, cellUrl: cellEntry(`${code}; process.exit(7)`) })
  const error: unknown = await open().catch((thrown: unknown) => thrown)
  if (error instanceof Error && error.cause instanceof SessionLoss && error.cause.output !== undefined) {
    return JSON.parse(error.cause.output)
  }
  throw error

  async function open(): Promise<void> {
    const sandbox = await host.open(config)
    await until(() => sandbox.status === 'lost')
    await sandbox.execute('true')
  }
}

/** A native library that does what it can to a process and a file as it is loaded, and prints what came of it. */
function compiledAttack(): string {
  const library = join(directory(), 'attack.so')
  const source = fileURLToPath(new URL('fixtures/attack.c', import.meta.url))
  execFileSync('gcc', ['-shared', '-fPIC', '-w', '-o', library, source])
  return readFileSync(library, 'base64')
}

const why = noJails ?? noCompiler

describe.skipIf(why !== undefined)(`a cell in a jail${why === undefined ? '' : `: ${why}`}`, () => {
  const choices: readonly Hardening[] = ['none', 'require']

  it.each(choices)(
    'with hardening %s Node reads, writes, signals and connects as the host lets it',
    async (hardening) => {
      const own = directory()
      writeFileSync(join(own, 'secret'), 'secret')
      mkdirSync(join(own, 'outside'))
      mkdirSync(join(own, '.ssh'))
      const victim = spawn('sleep', ['100'], { env: { VICTIM_SECRET: 'secret' } })
      onTestFinished(() => {
        victim.kill('SIGKILL')
      })
      const server = createServer((socket) => socket.end('hello'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => {
        server.close()
      })
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : 0
      const code = `
      import { readdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs'
      import { spawnSync } from 'node:child_process'
      import { connect } from 'node:net'
      const attempt = (act: () => unknown) => { try { act(); return 'done' } catch (error) { return (error as any).code } }
      const names = (path: string) => { try { return readdirSync(path) } catch { return [] } }
      const reached = await new Promise((done) => connect(${port}, '127.0.0.1').on('data', () => done('done')).on('error', (error: any) => done(error.code)))
      const victim = ${victim.pid}
      console.log(JSON.stringify({
        file: attempt(() => readFileSync(${JSON.stringify(join(own, 'secret'))})),
        ssh: attempt(() => readdirSync(${JSON.stringify(join(own, '.ssh'))})),
        home: names(${JSON.stringify(homedir())}).filter((name) => name !== '.cache').length > 0 ? 'done' : 'none',
        shadow: attempt(() => readFileSync('/etc/shadow')),
        passwd: attempt(() => readFileSync('/etc/passwd')),
        write: attempt(() => writeFileSync(${JSON.stringify(join(own, 'outside/file'))}, '')),
        root: attempt(() => writeFileSync('/file-of-a-cell-test', '')),
        loopback: reached,
        signal: attempt(() => process.kill(victim, 'SIGCONT')),
        environment: attempt(() => readFileSync('/proc/' + victim + '/environ')),
        processes: readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length > 2 ? 'of others' : 'own',
        shell: spawnSync('/bin/sh', ['-c', 'true']).status === 0 ? 'done' : 'none',
      }))`
      const found = await runInCell(code, { hardening })
      const isRoot = process.getuid?.() === 0
      rmSync('/file-of-a-cell-test', { force: true })
      const onHost = {
        file: 'done',
        ssh: 'done',
        home: expect.any(String),
        shadow: isRoot ? 'done' : 'EACCES',
        passwd: 'done',
        write: 'done',
        root: isRoot ? 'done' : 'EACCES',
        loopback: 'done',
        signal: 'done',
        environment: 'done',
        processes: 'of others',
        shell: 'done',
      }
      const inJail = {
        file: 'ENOENT',
        ssh: 'ENOENT',
        home: 'none',
        shadow: 'ENOENT',
        passwd: 'ENOENT',
        write: 'ENOENT',
        root: 'EROFS',
        loopback: 'ECONNREFUSED',
        signal: 'ESRCH',
        environment: 'ENOENT',
        processes: 'own',
        shell: 'none',
      }
      expect(found).toEqual(hardening === 'none' ? onHost : inJail)
    },
  )

  it.each(choices)(
    'with hardening %s native code traces, mounts and opens sockets as the host lets it',
    async (hardening) => {
      const victim = spawn('sleep', ['100'])
      onTestFinished(() => {
        victim.kill('SIGKILL')
      })
      const code = `
      import { writeFileSync } from 'node:fs'
      import { tmpdir } from 'node:os'
      const library = tmpdir() + '/attack-' + process.pid + '.so'
      writeFileSync(library, Buffer.from(${JSON.stringify(compiledAttack())}, 'base64'))
      process.env.VICTIM = '${victim.pid}'
      try { process.dlopen({ exports: {} }, library) } catch {}
      await import('node:fs').then(({ rmSync }) => rmSync(library))`
      const found = await runInCell(code, { hardening })
      if (hardening === 'require') {
        expect(found).toEqual({
          seize: 1,
          read: 1,
          namespace: 1,
          mount: 1,
          packet: 1,
          keyring: 1,
          setuid: 1,
          kill: 3,
        })
      } else {
        expect(found).toMatchObject({ seize: 0, namespace: 0, kill: 0 })
      }
    },
  )

  it('can write what a writable bind has, and reads what a read-only one has', async () => {
    const [open, kept] = [directory(), directory()]
    for (const path of [open, kept]) writeFileSync(join(path, 'file'), 'old')
    const code = `
      import { readFileSync, writeFileSync } from 'node:fs'
      const attempt = (act: () => unknown) => { try { return act() ?? 'done' } catch (error) { return (error as any).code } }
      const [open, kept] = ${JSON.stringify([open, kept])}
      console.log(JSON.stringify([
        attempt(() => writeFileSync(open + '/file', 'new')), attempt(() => writeFileSync(kept + '/file', 'new')),
        attempt(() => readFileSync(kept + '/file', 'utf8')),
      ]))`
    const binds = [
      { source: open, destination: '/open' },
      { source: kept, destination: '/kept', readonly: true },
    ]
    expect(await runInCell(code, { hardening: 'require' }, { binds })).toEqual(['done', 'EROFS', 'old'])
    expect(readFileSync(join(open, 'file'), 'utf8')).toBe('new')
  })

  it.each(choices)(
    'with hardening %s starts processes as the host lets it: in a jail none, and threads',
    async (hardening) => {
      const code = `
      import { spawn } from 'node:child_process'
      import { Worker } from 'node:worker_threads'
      const started: string[] = []
      for (let bomb = 0; bomb < 3; bomb++) {
        started.push(await new Promise((done) => {
          try { spawn(process.execPath, ['--version']).on('error', (error: any) => done(error.code)).on('exit', () => done('process')) }
          catch (error) { done((error as any).code) }
        }))
      }
      started.push(await new Promise((done) => new Worker('', { eval: true }).on('exit', () => done('thread'))))
      console.log(JSON.stringify(started))`
      const each = hardening === 'none' ? 'process' : 'EPERM'
      expect(await runInCell(code, { hardening })).toEqual([each, each, each, 'thread'])
    },
  )
})
