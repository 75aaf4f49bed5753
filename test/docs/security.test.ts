import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const page = read('SECURITY.md')

/** The anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

it('SECURITY.md names only tests and pages that exist', () => {
  const tests = [...page.matchAll(/`(test\/[\w/-]+)`/g)].map(([, path = '']) => path)
  expect(tests.length).toBeGreaterThan(10)
  expect(tests.filter((path) => !existsSync(fileURLToPath(new URL(path, root))))).toEqual([])

  const links = [...page.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)]
  const broken = links.filter(([, path = '', anchor]) => {
    if (path !== '' && !existsSync(fileURLToPath(new URL(path, root)))) return true
    return anchor !== undefined && !anchorsOf(path === '' ? page : read(path)).includes(anchor)
  })
  expect(broken.map(([link]) => link)).toEqual([])
})
