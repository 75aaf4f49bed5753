import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perRun, ShellAdapter } from '../../../src/argv/index.ts'
import { localSandbox, RemoteSandbox, temporaryDirectory } from '../helpers.ts'

/** A directory with files, and links by their targets. */
function tree(files: readonly string[], links: Readonly<Record<string, string>> = {}): string {
  const directory = temporaryDirectory()
  for (const file of [...files, ...Object.keys(links)]) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
  }
  for (const file of files) writeFileSync(join(directory, file), `content of ${file}`)
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(directory, link))
  return directory
}

describe('ignore, in a local sandbox', () => {
  it.each([
    ['a name', '.env', ['.env', './.env', 'sub/.env', 'x/../.env', '".env"', String.raw`.\env`]],
    ['a path', 'sub/key', ['sub/key', './sub//key', 'sub/../sub/key']],
    ['a directory', 'secrets', ['secrets', 'secrets/', 'secrets/a/b', 'sub/secrets', 'sub/secrets/a']],
    ['a directory with a slash', 'secrets/', ['secrets', 'secrets/a/b']],
    ['a glob of names', '*.pem', ['a.pem', 'sub/a.pem', 'new.pem']],
    ['a glob of paths', 'sub/*', ['sub/key', 'sub/deep/er']],
    ['a glob at any depth', '**/id_?sa', ['id_rsa', 'sub/id_dsa', 'a/b/id_rsa']],
    ['a set', '[ab]*', ['apple', 'b']],
    ['what is below a glob', '*.pem', ['keys.pem/a', 'sub/keys.pem/a/b']],
    ['what is below a glob at any depth', '**/secrets', ['secrets/a', 'sub/secrets/a']],
    ['a glob with a dot before it', './*.pem', ['a.pem', 'sub/a.pem']],
    ['a glob with a slash behind it', 'secr*/', ['secrets', 'secrets/a/b', 'sub/secrets/a']],
    ['a glob with two slashes', 'sub//k*', ['sub/key']],
  ])('keeps out %s, however it is spelt', async (_, pattern, words) => {
    const path = tree(['.env', 'sub/key', 'secrets/a/b', 'a.pem', 'id_rsa'])
    const adapter = new ShellAdapter(localSandbox({ path }), { ignore: [pattern] })
    for (const word of words) {
      const written = word.replaceAll(/["\\]/g, '')
      const expected = `Access denied: ${join(path, written).replace(/\/$/, '')}`
      expect(await adapter.run(`cat ${word}`)).toBe(expected)
    }
    expect(await adapter.run('echo other.txt sub2/keys -n')).toBe('other.txt sub2/keys -n')
  })

  it('refuses words that lead out of the workdir', async () => {
    const path = tree(['inside'], { out: '/etc', 'self/loop': 'loop', here: '.' })
    const adapter = new ShellAdapter(localSandbox({ path }), { ignore: ['.env'] })
    expect(await adapter.run('cat /etc/passwd')).toBe('Access denied: /etc/passwd')
    expect(await adapter.run('cat ../x')).toBe(`Access denied: ${join(path, '../x')}`)
    expect(await adapter.run('cat out/passwd')).toBe('Access denied: /etc/passwd')
    expect(await adapter.run('cat self/loop')).toBe(`Access denied: ${join(path, 'self/loop')}`)
    expect(await adapter.run('/bin/cat inside')).toMatch(/^Access denied: .*\/bin\/cat$/)
    expect(await adapter.run(`cat here/inside ${path}/inside`)).toBe('content of insidecontent of inside')
  })

  it('checks the target of a link and its name', async () => {
    const path = tree(['.env', 'harmless'], { alias: '.env', secret: 'harmless' })
    const adapter = new ShellAdapter(localSandbox({ path }), { ignore: ['.env', 'secret'] })
    expect(await adapter.run('cat alias')).toBe(`Access denied: ${path}/.env`)
    expect(await adapter.run('cat secret')).toBe(`Access denied: ${path}/harmless`)
    expect(await adapter.run('cat harmless')).toBe('content of harmless')
  })

  it("checks the program's path as well", async () => {
    const path = tree(['tools/run'])
    const adapter = new ShellAdapter(localSandbox({ path }), { ignore: ['tools'] })
    expect(await adapter.run('tools/run')).toBe(`Access denied: ${path}/tools/run`)
  })

  it('refuses a wildcard only if one of its matches is ignored', async () => {
    const path = tree(['.env', 'a.md', 'sub/.env', 'plain/b.md'], { 'links/etc': '/etc' })
    const adapter = new ShellAdapter(localSandbox({ path }), { ignore: ['**/.env'] })
    expect(await adapter.run('cat .e*')).toBe(`Access denied: ${path}/.env`)
    expect(await adapter.run('cat ?env')).toBe(`Access denied: ${path}/.env`)
    expect(await adapter.run('cat .[a-f]nv')).toBe(`Access denied: ${path}/.env`)
    expect(await adapter.run('cat *')).toBe(`Access denied: ${path}/.env`)
    expect(await adapter.run('cat s*/.env')).toBe(`Access denied: ${path}/s*/.env`)
    expect(await adapter.run('cat */.e*')).toBe(`Access denied: ${path}/sub/.env`)
    expect(await adapter.run('echo **/b.md')).toBe(`Access denied: ${path}/**/b.md`)
    expect(await adapter.run('cat **/*')).toContain('Access denied')
    expect(await adapter.run('cat links/*')).toBe('Access denied: /etc')
    expect(await adapter.run('cat ../*')).toContain('Access denied')
    expect(await adapter.run('echo *.md plain/* ?.txt [x]')).toBe('*.md plain/* ?.txt [x]')
  })
})

describe('ignore, in a sandbox without a host', () => {
  it.each([
    ['cat .env', '/workspace/.env'],
    ['cat a/../.env', '/workspace/.env'],
    ['cat /workspace/.env', '/workspace/.env'],
    ['cat /etc/passwd', '/etc/passwd'],
    ['cat ../x', '/x'],
    ['cat .e*', '/workspace/.e*'],
    ['cat *', '/workspace/*'],
    ['cat sub/?env', '/workspace/sub/?env'],
    ['cat /etc/*', '/etc/*'],
    ['cat secrets/[a-z]', '/workspace/secrets/[a-z]'],
    ['cat s*/x', '/workspace/s*/x'],
    ['cat sub/secrets/x', '/workspace/sub/secrets/x'],
    ['cat sub/s*/x', '/workspace/sub/s*/x'],
  ])('refuses %j before anything is opened', async (command, denied) => {
    const sandbox = new RemoteSandbox()
    const adapter = new ShellAdapter(sandbox, { ignore: ['**/.env', 'secrets'] })
    expect(await adapter.run(command)).toBe(`Access denied: ${denied}`)
    expect(sandbox.execs).toEqual([])
  })

  it.each(['cat README.md', 'cat *.md', 'cat /workspace/a', 'cat a/..'])('lets %j run', async (command) => {
    const sandbox = new RemoteSandbox()
    expect(await new ShellAdapter(sandbox, { ignore: ['**/.env', 'secrets'] }).run(command)).toBe('ok')
    expect(sandbox.execs).toHaveLength(1)
  })
})

describe('ignore, with a factory', () => {
  it('checks against the declared workdir before it opens a sandbox, and against the real one then', async () => {
    let opened = 0
    const path = tree(['.env', 'plain'], { alias: '.env' })
    const factory = perRun(
      () => {
        opened++
        return localSandbox({ path })
      },
      { workdir: path },
    )
    const adapter = new ShellAdapter(factory, { ignore: ['.env'] })
    expect(adapter.workdir).toBe(path)
    expect(await adapter.run('cat .env')).toBe(`Access denied: ${path}/.env`)
    expect(opened).toBe(0)
    expect(await adapter.run('cat alias')).toBe(`Access denied: ${path}/.env`)
    expect(await adapter.run(`cat ${path}/plain`)).toBe('content of plain')
    expect(opened).toBe(2)
  })

  it('assumes /workspace if a factory declares no workdir', async () => {
    const adapter = new ShellAdapter(
      perRun(() => new RemoteSandbox()),
      { ignore: ['.env'] },
    )
    expect(adapter.workdir).toBe('/workspace')
    expect(await adapter.run('cat /workspace/a')).toBe('ok')
    expect(await adapter.run('cat /elsewhere/a')).toBe('Access denied: /elsewhere/a')
  })
})
