import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SandboxClosedError, SandboxIoError, SandboxPermissionError } from '../../../src/sandbox/errors.ts'
import { localSandbox, temporaryDirectory } from '../helpers.ts'

const bytes = Uint8Array.of(0, 1, 255)

describe('LocalSandbox.putFile', () => {
  it.each(['note', 'sub/dir/note', './a/../note', '..note'])('writes %s below the workdir', async (path) => {
    const directory = temporaryDirectory()
    const sandbox = localSandbox({ path: directory })
    await sandbox.putFile(path, bytes)
    await sandbox.putFile(path, Uint8Array.of(7))
    expect([...readFileSync(join(directory, path))]).toEqual([7])
  })

  it.each(['/etc/passwd', '/note'])('refuses the absolute path %s', async (path) => {
    const failure = await failureOf(localSandbox().putFile(path, bytes))
    expect(failure).toMatchObject({ code: 'PERMISSION_DENIED', path })
    expect(failure.message).toContain(`Absolute paths are not allowed, but "${path}"`)
  })

  it.each(['../out', 'a/../../out', '..', 'link/out', 'file-link', 'loop', 'dangling'])(
    'refuses %s, which escapes the workdir, and names it',
    async (path) => {
      const directory = temporaryDirectory()
      const workdir = join(directory, 'work')
      mkdirSync(join(workdir, 'a'), { recursive: true })
      mkdirSync(join(directory, 'else/where'), { recursive: true })
      symlinkSync('../else/where', join(workdir, 'link'))
      symlinkSync('../else/file', join(workdir, 'file-link'))
      symlinkSync(join(directory, 'nowhere'), join(workdir, 'dangling'))
      symlinkSync('loop', join(workdir, 'loop'))
      const failure = await failureOf(localSandbox({ path: workdir }).putFile(path, bytes))
      expect(failure.message).toContain(path)
      expect([SandboxPermissionError, SandboxIoError].some((kind) => failure instanceof kind)).toBe(true)
      for (const name of ['out', 'else/out', 'else/file', 'else/where/out', 'nowhere']) {
        expect(existsSync(join(directory, name))).toBe(false)
      }
    },
  )

  it('takes `..` for the name before it, and not for what a link leads to', async () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'work'))
    symlinkSync('/', join(directory, 'work/link'))
    await localSandbox({ path: join(directory, 'work') }).putFile('link/../note', bytes)
    expect(existsSync(join(directory, 'work/note'))).toBe(true)
  })

  it('follows links that stay inside', async () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'real'))
    symlinkSync('real', join(directory, 'link'))
    await localSandbox({ path: directory }).putFile('link/note', bytes)
    expect([...readFileSync(join(directory, 'real/note'))]).toEqual([...bytes])
  })

  it('says why a file cannot be written', async () => {
    const failure = await failureOf(localSandbox().putFile('.', bytes))
    expect(failure).toBeInstanceOf(SandboxIoError)
  })
})

describe('LocalSandbox.removeFile', () => {
  it('removes a file, a link and not its target, and does not mind a missing one', async () => {
    const directory = temporaryDirectory()
    const sandbox = localSandbox({ path: directory })
    writeFileSync(join(directory, 'target'), '')
    symlinkSync('target', join(directory, 'link'))
    await sandbox.removeFile('link')
    await sandbox.removeFile('link')
    await sandbox.removeFile('no/such/file')
    await sandbox.removeFile('target/below')
    expect(existsSync(join(directory, 'target'))).toBe(true)
    await sandbox.removeFile('target')
    expect(existsSync(join(directory, 'target'))).toBe(false)
  })

  it.each(['/etc/passwd', '../file', 'link/file'])('refuses %s', async (path) => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'work'))
    writeFileSync(join(directory, 'file'), '')
    symlinkSync('..', join(directory, 'work/link'))
    const failure = await failureOf(localSandbox({ path: join(directory, 'work') }).removeFile(path))
    expect(failure).toMatchObject({ code: 'PERMISSION_DENIED', path })
    expect(existsSync(join(directory, 'file'))).toBe(true)
  })
})

describe('a workdir', () => {
  it('replaced by a link is not used', async () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'else'))
    const workdir = join(directory, 'work')
    const sandbox = localSandbox({ path: workdir })
    await sandbox.exec(['true'])
    rmSync(workdir, { recursive: true })
    symlinkSync('else', workdir)
    await expect(sandbox.putFile('note', bytes)).rejects.toBeInstanceOf(SandboxIoError)
    await expect(sandbox.exec(['touch', 'note'])).rejects.toBeInstanceOf(SandboxIoError)
    expect(readdirSync(join(directory, 'else'))).toEqual([])
  })

  it('that is temporary is private again when it is recreated', async () => {
    const sandbox = localSandbox()
    rmSync(sandbox.workdir, { recursive: true })
    await sandbox.exec(['true'])
    expect(statSync(sandbox.workdir).mode & 0o777).toBe(0o700)
  })

  it('is removed by close(), also while a file is written', async () => {
    for (let i = 0; i < 10; i++) {
      const sandbox = localSandbox()
      const { workdir } = sandbox
      const written = sandbox.putFile('a/b/c', bytes)
      await sandbox.close()
      await written
      expect(existsSync(workdir)).toBe(false)
    }
  })

  it('is not made by a closed sandbox', async () => {
    const sandbox = localSandbox()
    await sandbox.close()
    expect(() => sandbox.workdir).toThrow(SandboxClosedError)
  })
})

async function failureOf(call: Promise<void>): Promise<Error> {
  try {
    await call
  } catch (error) {
    if (error instanceof Error) return error
  }
  return new Error('nothing failed')
}
