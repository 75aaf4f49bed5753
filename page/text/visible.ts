const esc = String.fromCodePoint(27)
const bel = String.fromCodePoint(7)
/** Sequences that colour a terminal or move its cursor, and those that give it a title or a link. */
const sequences = new RegExp(
  String.raw`${esc}(?:\[[0-?]*[ -/]*[@-~]|\][^${esc}${bel}]*(?:${bel}|${esc}\\))`,
  'g',
)
/** Control characters but tab and line feed, and characters that change the direction of text. */
const hidden = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu

/** Text of an agent, with a sign for each character that could make it look like another text. */
export function visible(text: string): string {
  return text.replaceAll(hidden, (character) =>
    character < ' ' ? String.fromCodePoint(0x2400 + character.charCodeAt(0)) : '\ufffd',
  )
}

/** Output of a command outside a terminal: without colours, each line as its last carriage return left it. */
export function plainOutput(text: string): string {
  const lines = text.replaceAll(sequences, '').replaceAll(/\r+\n/g, '\n')
  return visible(lines.replaceAll(/^[^\n]*\r(?=[^\n])/gm, ''))
}
