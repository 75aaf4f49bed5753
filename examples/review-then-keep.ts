// Lets a sandbox work on a copy of a directory, shows what it did, and keeps some of it.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StrandsShellSandbox } from '../src/index.ts'

const project = await mkdtemp(join(tmpdir(), 'review-then-keep-'))
await mkdir(join(project, 'docs'))
await writeFile(join(project, 'README'), 'version 1\n')
await writeFile(join(project, 'docs/old'), 'obsolete\n')

const bind = '/work'
await using sandbox = await StrandsShellSandbox.open({
  binds: [{ source: project, destination: bind, mode: 'copy', exclude: ['*.log'] }],
})
sandbox.on('conflict', ({ path, kept }) => console.log(`conflict: ${path}, the host's is ${kept}`))

// An agent at work: the host sees none of it.
await sandbox.execute(
  'cd /work; sed -i s/1/2/ README; rm docs/old; mkdir notes; echo idea > notes/first; echo x > run.log',
)
console.log('on the host:', (await readFile(join(project, 'README'), 'utf8')).trimEnd())

// What did it do?
const report = await sandbox.changes()
for (const { change, kind, path } of report.changes) console.log(`  ${change} ${kind} ${path}`)

// Keep the edit and the notes, not the removal. Meanwhile somebody has changed the README, too.
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

// Only what came after the report.
await sandbox.execute('echo more >> /work/notes/first')
const later = await sandbox.changes({ since: report.mark })
console.log('later:', later.changes.map(({ change, path }) => `${change} ${path}`).join(', '))

await rm(project, { recursive: true })
