/** At most so many bytes of UTF-8, in whole characters. */
export function cut(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text
  const buffer = Buffer.from(text)
  if (buffer.length <= limit) return text
  let end = limit
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return buffer.toString('utf8', 0, end)
}
