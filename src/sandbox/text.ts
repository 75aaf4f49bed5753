/**
 * Says why a string cannot be handed to a shell, such as `holds a NUL character at offset 3`, or
 * nothing when it can. What the string holds is not part of the answer.
 */
export function findTextFault(text: string): string | undefined {
  const nul = text.indexOf('\0')
  if (nul !== -1) return `holds a NUL character at offset ${nul}`
  if (!text.isWellFormed()) return 'holds half of a surrogate pair, which no encoding can carry'
  return undefined
}
