// A sandbox works on a copy of a directory. The program lists the changes and writes some of them to the host.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ShellHost } from 'strands-shell-runtime'

const project = await mkdtemp(join(tmpdir(), 'review-then-keep-'))
await mkdir(join(project, 'docs'))
await writeFile(join(project, 'README'), 'version 1\n')
await writeFile(join(project, 'docs/old'), 'obsolete\n')

const bind = '/work'
await using host = new ShellHost()
const sandbox = await host.open({
  binds: [{ source: project, destination: bind, mode: 'copy', exclude: ['*.log'] }],
})
sandbox.on('conflict', ({ path, kept }) => console.log(`conflict: ${path}, the host's is ${kept}`))

// The agent works on its copy. The host's files do not change.
await sandbox.execute(
  'cd /work; sed -i s/1/2/ README; rm docs/old; mkdir notes; echo idea > notes/first; echo x > run.log',
)
console.log('on the host:', (await readFile(join(project, 'README'), 'utf8')).trimEnd())

// List the agent's changes.
const report = await sandbox.changes()
for (const { change, kind, path } of report.changes) console.log(`  ${change} ${kind} ${path}`)

// Keep the edit and the notes, but not the removal. Somebody has changed the README on the host meanwhile.
await writeFile(join(project, 'README'), 'version 1, edited by hand\n')
const kept = await sandbox.applyChanges({ bind, paths: ['/work/README', '/work/notes'] })
console.log('written:', kept.written.join(' '), 'removed:', kept.removed.length)
console.log('README:', (await readFile(join(project, 'README'), 'utf8')).trimEnd())
console.log(
  'the host has:',
  (await readdir(project)).sort().join(' '),
  '/',
  await readdir(join(project, 'docs')),
)

// List only the changes since that report.
await sandbox.execute('echo more >> /work/notes/first')
const later = await sandbox.changes({ since: report.mark })
console.log('later:', later.changes.map(({ change, path }) => `${change} ${path}`).join(', '))

await rm(project, { recursive: true })
