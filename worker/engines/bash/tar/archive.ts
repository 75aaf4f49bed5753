import { BLOCK, isHeader, type Member, numberAt, textAt, written } from './header.ts'

/** An archive has whole records of this many bytes. */
const RECORD = 20 * BLOCK

/** The archive of members, behind the members of one that is there. */
export function archiveOf(members: readonly Member[], before: Buffer = Buffer.alloc(0)): Buffer {
  const blocks = [before, ...members.flatMap(written), Buffer.alloc(2 * BLOCK)]
  const size = blocks.reduce((sum, block) => sum + block.length, 0)
  return Buffer.concat([...blocks, Buffer.alloc((RECORD - (size % RECORD)) % RECORD)])
}

export interface Read {
  readonly members: Member[]
  /** Where the last member ends. */
  readonly end: number
  /** It is no archive, or is cut. */
  readonly fault: 'none' | 'cut' | undefined
}

const KINDS: Readonly<Record<string, Member['kind']>> = {
  '': 'file',
  '0': 'file',
  '7': 'file',
  '1': 'link',
  '2': 'symlink',
  '5': 'directory',
}

/** What entries before a member say of it. */
interface Said {
  name?: string | undefined
  target?: string | undefined
  size?: number | undefined
  modified?: number | undefined
}

/** The members of an archive in the formats ustar, GNU and pax. */
export function membersOf(archive: Buffer): Read {
  const members: Member[] = []
  let said: Said = {}
  let at = 0
  while (at + BLOCK <= archive.length) {
    const block = archive.subarray(at, at + BLOCK)
    if (block.every((byte) => byte === 0)) break
    if (!isHeader(block)) return { members, end: at, fault: members.length === 0 ? 'none' : 'cut' }
    const flag = textAt(block, 156, 1)
    const size = said.size ?? numberAt(block, 124, 12)
    const begin = at + BLOCK
    if (begin + size > archive.length) return { members, end: at, fault: 'cut' }
    const content = archive.subarray(begin, begin + size)
    at = begin + Math.ceil(size / BLOCK) * BLOCK
    if (flag === 'L') said.name = textAt(content, 0, size)
    else if (flag === 'K') said.target = textAt(content, 0, size)
    else if (flag === 'x') said = { ...said, ...saidBy(content) }
    else if (flag !== 'g') {
      members.push(member(block, flag, said, content))
      said = {}
    }
  }
  return { members, end: at, fault: archive.length < BLOCK ? 'none' : undefined }
}

function member(block: Buffer, flag: string, said: Said, content: Buffer): Member {
  const prefix = textAt(block, 257, 8) === 'ustar' ? textAt(block, 345, 155) : ''
  const own = (prefix === '' ? '' : `${prefix}/`) + textAt(block, 0, 100)
  const name = said.name ?? own
  const kind = KINDS[flag] ?? 'other'
  return {
    name,
    kind: kind === 'file' && name.endsWith('/') ? 'directory' : kind,
    mode: numberAt(block, 100, 8) & 0o7777,
    user: textAt(block, 265, 32) || String(numberAt(block, 108, 8)),
    group: textAt(block, 297, 32) || String(numberAt(block, 116, 8)),
    modified: said.modified ?? numberAt(block, 136, 12),
    target: said.target ?? textAt(block, 157, 100),
    content: kind === 'file' ? content : Buffer.alloc(0),
  }
}

/** `27 path=name` lines of an entry of pax. */
function saidBy(content: Buffer): Said {
  const said: Said = {}
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(content.subarray(at, at + 12).toString('latin1'), 10)
    if (!(length > 0)) break
    const [, key, value = ''] =
      /^\d+ ([^=]+)=([\s\S]*)\n$/.exec(content.subarray(at, at + length).toString('utf8')) ?? []
    if (key === 'path') said.name = value
    else if (key === 'linkpath') said.target = value
    else if (key === 'size') said.size = Number(value)
    else if (key === 'mtime') said.modified = Number(value)
    at += length
  }
  return said
}
