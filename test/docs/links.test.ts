import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const pages = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md'],
  ...readdirSync(fileURLToPath(new URL('docs', root)))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** The anchors of a page's headings. */
function anchorsOf(page: URL): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** The links and pictures of a page whose file or heading does not exist in this repository. */
function brokenLinks(page: string): string[] {
  const here = new URL(page, root)
  const text = readFileSync(here, 'utf8').replaceAll(/```.*?```/gs, '')
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    const target = new URL(link, here)
    const anchor = target.hash.slice(1)
    target.hash = ''
    const leads = existsSync(target) && (anchor === '' || anchorsOf(target).includes(anchor))
    return leads ? [] : [link]
  })
}

it.each(pages)('every link of %s leads to a file and heading that exist', (page) => {
  expect(brokenLinks(page)).toEqual([])
})

it('examples/README.md lists every example', () => {
  const folder = new URL('examples/', root)
  const examples = readdirSync(fileURLToPath(folder)).filter((name) => name.endsWith('.ts'))
  const text = readFileSync(new URL('README.md', folder), 'utf8')
  const listed = [...text.matchAll(/\| \[([\w-]+\.ts)\]\(\1\) \|/g)].map(([, name]) => name)

  expect(listed.sort()).toEqual(examples.sort())
})

it('docs/README.md lists every page', () => {
  const text = readFileSync(new URL('docs/README.md', root), 'utf8')
  const unlisted = pages.filter(
    (page) => page.startsWith('docs/') && page !== 'docs/README.md' && !text.includes(`](${page.slice(5)})`),
  )

  expect(unlisted).toEqual([])
})

it('README.md has less than 160 lines', () => {
  expect(readFileSync(new URL('README.md', root), 'utf8').split('\n').length).toBeLessThan(160)
})
