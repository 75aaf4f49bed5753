/** Whether a text ends inside the body of a here-document. */
export function hasOpenHereDocument(text: string): boolean {
  const lines = text.split('\n')
  let next = 0
  while (next < lines.length) {
    const documents = documentsOf(lines[next] ?? '')
    next += 1
    for (const ends of documents) {
      const end = lines.findIndex((line, index) => index >= next && ends(line))
      if (end === -1) return true
      next = end + 1
    }
  }
  return false
}

/** For each here-document that a line begins, what its last line is. */
function documentsOf(line: string): ((line: string) => boolean)[] {
  const code = line.replaceAll(/\$\(\(.*?\)\)|(?<!<<-?\s*)(?:\\.|'[^']*'|"[^"]*")|(?<=^|\s)#.*/g, '')
  const found = code.matchAll(/(?<!<)<<(-?)\s*(?:'([^']+)'|"([^"]+)"|\\?([\w.+-]+))/g)
  return Array.from(found, ([, dash, single, double, plain]) => {
    const word = single ?? double ?? plain
    return (end) => (dash === '-' ? end.replace(/^\t+/, '') : end) === word
  })
}
