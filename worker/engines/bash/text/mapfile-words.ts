/**
 * The words of `mapfile` with each option apart, as just-bash reads them: `-tn2` is `-t -n 2`.
 *
 * @returns a message where there is an option that nothing here does
 */
export function mapfileWords(words: readonly string[]): string[] | string {
  const apart: string[] = []
  const left = [...words]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') return [...apart, ...left]
    const read = /^-(t*)(?:([dnOsu])(.*))?$/s.exec(word)
    if (!word.startsWith('-') || word === '-') apart.push(word)
    else if (read === null)
      return `bash: mapfile: ${word}: this option is not known here: loop over the array behind it\n`
    else {
      const [, terse, letter, value] = read
      if (terse !== '') apart.push('-t')
      if (letter !== undefined) apart.push(`-${letter}`, value || (left.shift() ?? ''))
    }
  }
  return apart
}
