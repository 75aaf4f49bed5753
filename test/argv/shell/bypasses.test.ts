import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ShellAdapter, type ShellAdapterOptions } from '../../../src/argv/index.ts'
import { localSandbox, temporaryDirectory } from '../helpers.ts'

const options: ShellAdapterOptions = { blocked: ['touch', 'rm'], ignore: ['.env', 'secrets'] }

/** Ways to make a file by a program that is blocked. */
const writing = [
  'touch made',
  '/usr/bin/touch made',
  '../../../../../usr/bin/touch made',
  't"ou"ch made',
  "'touch' made",
  't\\ouch made',
  'touch\tmade',
  'to\\\nuch made',
  '"touch" "made"',
  'echo a; touch made',
  'echo a && touch made',
  'false || touch made',
  'echo a | touch made',
  'echo a & touch made',
  'echo a\ntouch made',
  'echo a\rtouch made',
  'echo $(touch made)',
  'echo `touch made`',
  'cat <(touch made)',
  'echo a > made',
  'echo a >> made',
  'echo a >| made',
  'X=1 touch made',
  '{touch,made}',
  '$0 -c "touch made"',
]

/** Ways to read a file that is ignored, with the program of this directory that is not blocked. */
const reading = [
  'cat .env',
  'cat ./.env',
  'cat sub/../.env',
  'cat "$PWD/.env"',
  'cat .e*',
  'cat .?nv',
  'cat .[e]nv',
  'cat {.env,x}',
  'cat link',
  'cat directory/key',
  'cat secrets/key',
  'cat secrets/../secrets/key',
  'cat /proc/self/cwd/.env',
  'cat < .env',
]

describe('what a filter keeps from a program of the machine', () => {
  const path = () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'secrets'))
    mkdirSync(join(directory, 'sub'))
    for (const file of ['.env', 'secrets/key']) writeFileSync(join(directory, file), 'hidden')
    symlinkSync('.env', join(directory, 'link'))
    symlinkSync('secrets', join(directory, 'directory'))
    return directory
  }

  it('is not made by any spelling of a blocked command', async () => {
    const directory = path()
    const adapter = new ShellAdapter(localSandbox({ path: directory }), options)
    for (const command of writing) {
      const said = await adapter.run(command)
      expect([command, existsSync(join(directory, 'made'))]).toEqual([command, false])
      expect(said).toMatch(/^Command not allowed|^Access denied|\[exit code: 127\]$/)
    }
  })

  it('is not read by any spelling of an ignored path', async () => {
    const adapter = new ShellAdapter(localSandbox({ path: path() }), options)
    for (const command of reading) {
      const said = await adapter.run(command)
      expect([command, said]).toEqual([command, expect.not.stringContaining('hidden')])
      expect(said).toMatch(/^Command not allowed|^Access denied|No such file or directory/)
    }
  })

  it('is there for a shell without filters (the control)', async () => {
    const directory = path()
    const adapter = new ShellAdapter(localSandbox({ path: directory }))
    expect(await adapter.run('touch made; cat link')).toBe('hidden')
    expect(existsSync(join(directory, 'made'))).toBe(true)
  })
})
