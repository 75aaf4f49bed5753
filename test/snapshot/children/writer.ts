import { directoryStore } from '../../../src/snapshot/directory-store/directory-store.ts'
import { snapshotOf } from '../../../src/snapshot/snapshot.ts'

// Puts snapshots into a store until it is killed. The files of one hold the same number; one content is in all of them.
const [path = '', name = ''] = process.argv.slice(2)
const store = directoryStore(path)

function numbered(number: number) {
  const texts = [...Array.from({ length: 5 }, (_, at) => `${at} ${number}`), 'in all']
  const entries = texts.map((_, at) => ({
    key: `file /${at}`,
    value: JSON.stringify({ type: 'file', mode: 0o644, modified: number }),
    content: at + 1,
  }))
  const contents = new Map(texts.map((text, at) => [at + 1, new Uint8Array(Buffer.from(text))]))
  return snapshotOf({
    engine: 'bash',
    form: 'a form',
    createdAt: new Date(number),
    omitted: [],
    facts: { entries, contents },
  })
}

for (let number = 1; ; number += 1) {
  await store.put('of all', numbered(number))
  await store.put(name, numbered(number))
  if (number % 5 === 0) await store.delete('of all')
  if (number % 7 === 0) await store.collect({ olderThan: 60 })
  process.stdout.write('.')
}
