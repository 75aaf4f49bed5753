import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Backend, backends } from './support/backend.ts'
import { result } from './support/expected.ts'
import { factsOf, failureOf } from './support/failure.ts'
import { hostDirectory, plant, treeOf } from './support/host-tree.ts'

const run = promisify(execFile)

describe.each(backends)('entries that are not mirrored ($name)', bounds)

function bounds(backend: Backend): void {
  it.each([
    ['mirrorMaxFiles', 4, 'SandboxLimitError', '4 files, directories and links'],
    ['mirrorMaxBytes', 29, 'SandboxLimitError', '29 bytes'],
  ])(
    'a directory over limits.%s is refused at open, and the error says what to do',
    async (limit, value, name, held) => {
      const source = await hostDirectory({
        a: '0123456789',
        'd/b': '0123456789',
        'd/c': '0123456789',
        link: '-> a',
      })
      const binds = [{ source, destination: '/work' }]
      const opened = backend.create({ binds, limits: { [limit]: value } }).open()
      expect(await factsOf(opened)).toEqual({ name, code: 'LIMIT_EXCEEDED', limit: `limits.${limit}`, value })
      const { message } = await failureOf(opened)
      for (const part of [
        source,
        '/work',
        held,
        'narrower',
        'exclude:',
        'raise',
        "mode 'copy'",
        "'passthrough'",
      ]) {
        expect(message).toContain(part)
      }
      for (const config of [
        { binds, limits: { [limit]: value + 1 } },
        { binds: [{ source, destination: '/work', exclude: ['d/'] }], limits: { [limit]: value } },
        { binds: [{ source, destination: '/work', mode: 'copy' as const }], limits: { [limit]: value } },
        { binds: [{ source, destination: '/work', readonly: true }], limits: { [limit]: value } },
      ]) {
        const sandbox = await backend.open(config)
        expect(await sandbox.execute('cat /work/a')).toEqual(result({ stdout: '0123456789' }))
      }
    },
  )

  it('skips and lists new host files that exceed the bounds, and mirrors the others', async () => {
    const source = await hostDirectory({ a: 'a', 'd/b': 'b' })
    const sandbox = await backend.open({
      binds: [{ source, destination: '/work' }],
      limits: { mirrorMaxFiles: 6 },
    })
    await plant(source, { a: 'A', c: 'c', 'e/f': 'f', g: 'g', 'h/i': 'i' })
    expect((await sandbox.execute('cat /work/a')).stdout).toBe('A')
    const { skipped } = await sandbox.describe()
    expect(skipped.length).toBeGreaterThan(0)
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['over the bounds']))
    const { stdout } = await sandbox.execute('cd /work; find . | sed 1d | sed "s/^..//"')
    const there = stdout.trimEnd().split('\n')
    const missing = skipped.map(({ path }) => path.slice('/work/'.length))
    expect([...there, ...missing].sort()).toEqual(['a', 'c', 'd', 'd/b', 'e', 'e/f', 'g', 'h', 'h/i'])
    await sandbox.execute('echo own > /work/own; rm /work/d/b')
    expect(await treeOf(source)).toMatchObject({
      a: 'A',
      c: 'c',
      'e/f': 'f',
      g: 'g',
      'h/i': 'i',
      own: 'own\n',
    })
    expect(Object.keys(await treeOf(source))).not.toContain('d/b')
  })

  it('skips a new host file that exceeds the byte bound until there is room', async () => {
    const source = await hostDirectory({ a: '0123456789' })
    const limits = { mirrorMaxBytes: 15 }
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }], limits })
    await plant(source, { b: '0123456789', c: '01234' })
    expect(await sandbox.execute('cat /work/c')).toEqual(result({ stdout: '01234' }))
    expect((await sandbox.describe()).skipped).toEqual([
      { bind: '/work', path: '/work/b', reason: 'over the bounds' },
    ])
    await writeFile(join(source, 'a'), '')
    expect(await sandbox.execute('cat /work/b')).toEqual(result({ stdout: '0123456789' }))
    expect((await sandbox.describe()).skipped).toEqual([])
  })

  it('skips files larger than limits.maxFileSize until they are small enough', async () => {
    const source = await hostDirectory({ big: '0123456789+', small: '0123456789' })
    const sandbox = await backend.open({
      binds: [{ source, destination: '/work' }],
      limits: { maxFileSize: 10 },
    })
    expect((await sandbox.describe()).skipped).toEqual([
      { bind: '/work', path: '/work/big', reason: 'too large' },
    ])
    expect(await sandbox.execute('cd /work; ls; cat small')).toEqual(result({ stdout: 'small\n0123456789' }))
    await writeFile(join(source, 'big'), 'shorter')
    expect(await sandbox.execute('cat /work/big')).toEqual(result({ stdout: 'shorter' }))
    expect((await sandbox.describe()).skipped).toEqual([])
  })

  it('lists sockets, FIFOs, links that lead out and names that are not UTF-8, and does not touch them', async () => {
    const source = await hostDirectory({
      file: 'f',
      absolute: '-> /etc/passwd',
      up: '-> ../x',
      'd/in': '-> ../file',
    })
    await run('mkfifo', [join(source, 'fifo')])
    await run('sh', ['-c', 'printf x > "$(printf "odd\\377")"'], { cwd: source })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(source, 'd/socket'), resolve))
    onTestFinished(() => void server.close())
    const sandbox = await backend.open({ binds: [{ source, destination: '/work' }] })
    const { skipped } = await sandbox.describe()
    expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toEqual({
      '/work/absolute': 'link that leads out',
      '/work/up': 'link that leads out',
      '/work/fifo': 'FIFO',
      '/work/d/socket': 'socket',
      '/work/odd\ufffd': 'name is not UTF-8',
    })
    expect(await sandbox.execute('cat /work/d/in; find /work')).toMatchObject({
      stdout: 'f/work\n/work/d\n/work/d/in\n/work/file\n',
    })
    await sandbox.execute('rm -r /work/*')
    const left = await readdir(source, { recursive: true })
    expect(left.sort()).toEqual(['absolute', 'd', 'd/socket', 'fifo', 'odd\ufffd', 'up'])
  })
}
