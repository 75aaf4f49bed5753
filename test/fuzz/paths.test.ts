import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { isDestination, normalizeDestination } from '../../src/config/destination.ts'
import { MirrorError, ShellHost, type StrandsShellSandbox } from '../../src/index.ts'
import { pathOf, uriOf } from '../../src/mcp/resource-uri.ts'
import { isWithin } from '../../src/sandbox/is-within.ts'
import { within } from '../faults/helpers.ts'
import { outcomeOf } from './support/documented.ts'
import { fuzz } from './support/fuzz.ts'
import { oddText } from './support/junk.ts'

const root = mkdtempSync(join(tmpdir(), 'fuzz-paths-'))
const outside = join(root, 'outside')
const inside = join(root, 'inside')
mkdirSync(join(inside, 'd'), { recursive: true })
mkdirSync(outside)
writeFileSync(join(outside, 'kept'), 'a secret of the host\n')
writeFileSync(join(inside, 'f'), 'f\n')
symlinkSync('../outside/kept', join(inside, 'out'))
symlinkSync('../outside', join(inside, 'dir'))
symlinkSync('loop', join(inside, 'loop'))

const host = new ShellHost({ isolation: 'shared' })
afterAll(async () => {
  await host.close()
  rmSync(root, { recursive: true, force: true })
})

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('f', 'd', 'out', 'dir', 'loop', 'kept', '..', '.', '', 'a', 'outside', 'tmp'),
  },
  { weight: 1, arbitrary: oddText },
)
const start = fc.constantFrom(
  '/work',
  '/copy',
  '/read',
  '',
  '/',
  '.',
  '/home/lash',
  root,
  inside,
  outside,
  '/proc/self',
  '/dev',
)
const path = fc
  .tuple(start, fc.array(step, { maxLength: 5 }))
  .map(([first, steps]) => [first, ...steps].join('/'))

const uses: Readonly<Record<string, (sandbox: StrandsShellSandbox, path: string) => Promise<unknown>>> = {
  readFile: (sandbox, at) => sandbox.readFile(at),
  readText: (sandbox, at) => sandbox.readText(at),
  writeFile: (sandbox, at) => sandbox.writeText(at, 'written'),
  removeFile: (sandbox, at) => sandbox.removeFile(at),
  listFiles: (sandbox, at) => sandbox.listFiles(at),
  appendFile: (sandbox, at) => sandbox.appendFile(at, Buffer.from('appended')),
  makeDirectory: (sandbox, at) => sandbox.makeDirectory(at),
  stat: (sandbox, at) => sandbox.stat(at),
  exists: (sandbox, at) => sandbox.exists(at),
  move: (sandbox, at) => sandbox.move(at, '/tmp/moved'),
  'move to': (sandbox, at) => sandbox.move('/tmp/moved', at),
  copy: (sandbox, at) => sandbox.copy(at, '/tmp/copied'),
  'copy to': (sandbox, at) => sandbox.copy('/tmp/copied', at),
  cwd: (sandbox, at) => sandbox.execute('ls; cat kept; echo x > y', { cwd: at }),
  bind: (sandbox, at) => sandbox.applyChanges({ bind: at }),
  paths: (sandbox, at) => sandbox.applyChanges({ bind: '/copy', paths: [at] }),
}

let sandbox: StrandsShellSandbox
let cases = 0

fuzz({
  target: 'paths',
  title: 'no path leads out of the sandbox and its binds, and each use of one ends as documented',
  cases: 80,
  input: fc.array(fc.tuple(fc.constantFrom(...Object.keys(uses)), path), { minLength: 1, maxLength: 4 }),
  holds: async (calls) => {
    if (cases++ % 20 === 0) await refresh()
    for (const [use, at] of calls) {
      const end = await within(
        60,
        outcomeOf(() => uses[use]?.(sandbox, at)),
      )
      if ('value' in end) expect(textOf(end.value)).not.toContain('a secret of the host')
      else expect(end.error.code).not.toMatch(/^(WORKER_LOST|PROTOCOL)$/)
    }
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('a secret of the host\n')
    expect([readdirSync(outside), readdirSync(root).sort()]).toEqual([['kept'], ['inside', 'outside']])
    const next = await outcomeOf(() => sandbox.execute('echo well', { cwd: '/' }))
    // What could not be written to the host is told again by each call, beside what it printed.
    if ('error' in next) expect(next.error).toBeInstanceOf(MirrorError)
    expect('value' in next ? next.value : next.error).toMatchObject({ stdout: 'well\n' })
  },
})

async function refresh(): Promise<void> {
  await sandbox?.close()
  sandbox = await host.open({
    binds: [
      { source: inside, destination: '/work' },
      { source: inside, destination: '/copy', mode: 'copy' },
      { source: inside, destination: '/read', readonly: true },
    ],
    timeout: 5,
  })
}

/** All that a result holds. */
function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value ?? '')
}

fuzz({
  target: 'paths',
  title: 'a destination has one form, and an address of a resource one path',
  cases: 800,
  input: fc.oneof(path, oddText),
  holds: (text) => {
    if (isDestination(text)) {
      const normal = normalizeDestination(text)
      expect(normalizeDestination(normal)).toBe(normal)
      expect([isDestination(normal), isWithin('/', normal), normal.includes('//')]).toEqual([
        true,
        true,
        false,
      ])
    }
    for (const address of [uriOfAny(text), `sandbox://${text}`, `sandbox://${text.replaceAll('.', '%2e')}`]) {
      const named = URL.canParse(address) ? pathOf(new URL(address)) : undefined
      if (named === undefined) continue
      expect([posix.normalize(named), named.startsWith('/'), named.includes('\0')]).toEqual([
        named,
        true,
        false,
      ])
      expect(`${named}/`.includes('/../')).toBe(false)
    }
  },
})

/** The address of a path; of what no address can hold, none. */
function uriOfAny(text: string): string {
  return text.isWellFormed() ? uriOf(text.startsWith('/') ? text : `/${text}`) : ''
}
