import { permissions } from '../commands/file-facts.ts'
import { withoutSlashes } from '../text/slashes.ts'
import { strftime } from '../text/strftime.ts'
import type { Member } from './header.ts'

const KINDS = { file: '-', link: 'h', symlink: 'l', directory: 'd', other: '?' } as const

/** Owner and size are at least this wide. */
const WIDTH = 19

/** Lines of `tar -t` and `-v`, whose columns become wider as they go. */
export class Listing {
  readonly #long: boolean
  #width = WIDTH

  constructor(long: boolean) {
    this.#long = long
  }

  line(member: Member): string {
    const { name, kind, target } = member
    const shown = kind === 'directory' ? `${withoutSlashes(name)}/` : name
    if (!this.#long) return `${shown}\n`
    const owner = `${member.user}/${member.group}`
    const size = String(member.content.length)
    this.#width = Math.max(this.#width, owner.length + 1 + size.length)
    const time = strftime('%Y-%m-%d %H:%M', new Date(member.modified * 1000))
    const link = kind === 'symlink' ? ` -> ${target}` : kind === 'link' ? ` link to ${target}` : ''
    const columns = owner + size.padStart(this.#width - owner.length)
    return `${KINDS[kind]}${permissions(member.mode)} ${columns} ${time} ${shown}${link}\n`
  }
}
