import { withoutSlashes } from '../text/slashes.ts'

/** A file, directory or link of an archive. */
export interface Member {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'symlink' | 'link' | 'other'
  readonly mode: number
  readonly user: string
  readonly group: string
  /** Seconds since 1970. */
  readonly modified: number
  /** What a link leads to. */
  readonly target: string
  readonly content: Buffer
}

export const BLOCK = 512

const FLAGS = { file: '0', link: '1', symlink: '2', directory: '5', other: '?' } as const

/** Names that are longer have an entry of their own before them. */
const NAME_BYTES = 100

/** The blocks of a member, as GNU tar writes them. */
export function written(member: Member): Buffer[] {
  const { content, kind } = member
  const name = Buffer.from(kind === 'directory' ? `${withoutSlashes(member.name)}/` : member.name)
  const target = Buffer.from(member.target)
  return [
    ...(target.length > NAME_BYTES ? longName('K', target) : []),
    ...(name.length > NAME_BYTES ? longName('L', name) : []),
    header(member, FLAGS[kind], name, target, content.length),
    ...padded(content),
  ]
}

const OWNED = { mode: 0o644, modified: 0, user: 'root', group: 'root' } as const

function longName(flag: string, text: Buffer): Buffer[] {
  const ended = Buffer.concat([text, Buffer.alloc(1)])
  return [
    header(OWNED, flag, Buffer.from('././@LongLink'), Buffer.alloc(0), ended.length, 0),
    ...padded(ended),
  ]
}

function padded(content: Buffer): Buffer[] {
  const rest = content.length % BLOCK
  return rest === 0 ? [content] : [content, Buffer.alloc(BLOCK - rest)]
}

type Facts = Pick<Member, 'mode' | 'modified' | 'user' | 'group'>

function header(
  { mode, modified, user, group }: Facts,
  flag: string,
  name: Buffer,
  target: Buffer,
  size: number,
  id = user === 'root' ? 0 : 1000,
): Buffer {
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, digits: number) =>
    block.write(`${Math.max(0, Math.floor(value)).toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  name.copy(block, 0, 0, NAME_BYTES)
  octal(mode & 0o7777, 100, 7)
  octal(id, 108, 7)
  octal(id, 116, 7)
  octal(size, 124, 11)
  octal(modified, 136, 11)
  block.write(' '.repeat(8), 148, 'latin1')
  block.write(flag, 156, 'latin1')
  target.copy(block, 157, 0, NAME_BYTES)
  block.write('ustar  \0', 257, 'latin1')
  block.write(user.slice(0, 31), 265, 'latin1')
  block.write(group.slice(0, 31), 297, 'latin1')
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

const sumOf = (block: Buffer): number => block.reduce((sum, byte) => sum + byte, 0)

/** Whether a block says the sum of its bytes, as every header does. */
export function isHeader(block: Buffer): boolean {
  const told = numberAt(block, 148, 8)
  const blank = Buffer.from(block)
  blank.fill(' ', 148, 156)
  return told === sumOf(blank)
}

export const textAt = (block: Buffer, at: number, length: number): string => {
  const field = block.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('utf8')
}

/** A number in octal digits, or in bytes where the first bit says so. */
export function numberAt(block: Buffer, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) !== 0) {
    let value = (block[at] ?? 0) & 0x7f
    for (let next = at + 1; next < at + length; next += 1) value = value * 256 + (block[next] ?? 0)
    return value
  }
  const digits = textAt(block, at, length).trim()
  return digits === '' ? 0 : Number.parseInt(digits, 8)
}
