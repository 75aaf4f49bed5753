/**
 * What the changelog says of a version: the text below its heading.
 *
 * @throws {Error} where it has no heading `## VERSION - YYYY-MM-DD` for it, or nothing below
 */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version)
  if (section === undefined) throw new Error(`CHANGELOG.md has no '## ${version}'.`)
  const [heading = '', ...lines] = section.split('\n')
  if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading)) {
    throw new Error(
      `CHANGELOG.md says '## ${heading}': put the day of the release in, as '## ${version} - YYYY-MM-DD'.`,
    )
  }
  const notes = lines.join('\n').trim()
  if (notes === '') throw new Error(`CHANGELOG.md has nothing below '## ${heading}'.`)
  return notes
}
