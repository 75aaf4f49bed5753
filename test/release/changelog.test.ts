import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { notesOf } from '../../scripts/release/changelog.ts'

const changelog =
  '# Changelog\n\n## 1.1.0 - 2031-05-04\n\n- New.\n\n## 1.0.0 - unreleased\n\n- First.\n\n## 0.9.0 - 2030-01-01\n'

it('the notes of a version are what stands below its heading', () => {
  expect(notesOf(changelog, '1.1.0')).toBe('- New.')
})

it('a version without a heading, a day or notes is refused', () => {
  expect(() => notesOf(changelog, '1.1')).toThrow("CHANGELOG.md has no '## 1.1'.")
  expect(() => notesOf(changelog, '1.0.0')).toThrow("as '## 1.0.0 - YYYY-MM-DD'")
  expect(() => notesOf(changelog, '0.9.0')).toThrow("nothing below '## 0.9.0 - 2030-01-01'")
})

it('CHANGELOG.md begins with the version of package.json', async () => {
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  const { version }: { readonly version: string } = JSON.parse(await read('package.json'))
  expect(/^## (\S+) - /m.exec(await read('CHANGELOG.md'))?.[1]).toBe(version)
})
