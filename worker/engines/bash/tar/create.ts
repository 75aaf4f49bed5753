import { factsOf } from '../commands/file-facts.ts'
import type { CommandContext } from '../just-bash.ts'
import { withoutSlashes } from '../text/slashes.ts'
import type { Member } from './header.ts'
import { excluding } from './names.ts'
import type { Operand, TarOptions } from './options.ts'

/** Members of files, with what is told of them. */
export interface Gathered {
  readonly members: Member[]
  /** Lines of standard error. */
  readonly errors: string[]
  failed: boolean
}

export interface Gathering {
  readonly options: TarOptions
  readonly context: CommandContext
  /** Where each operand is. */
  readonly place: (operand: Operand) => string
  /** The archive's own path. */
  readonly archive: string
  readonly excluded: readonly string[]
  readonly step: () => void
}

/** Reads what operands name, directories with all that is in them by name. */
export async function gather(operands: readonly Operand[], given: Gathering): Promise<Gathered> {
  const { options, context } = given
  const gathered: Gathered = { members: [], errors: [], failed: false }
  const isExcluded = excluding(given.excluded)
  const user = context.env.get('USER') ?? 'user'
  const add = async (path: string, name: string): Promise<void> => {
    given.step()
    if (isExcluded(name)) return
    const { fs } = context
    const facts = await factsOf(path, context, options.flags.has('dereference')).catch(() => undefined)
    if (facts === undefined) {
      gathered.errors.push(`${name}: Cannot stat: No such file or directory`)
      gathered.failed = true
      return
    }
    if (path === given.archive) {
      gathered.errors.push(`${name}: file is the archive; not dumped`)
      return
    }
    const kind =
      facts.kind === 'directory' ? 'directory' : facts.kind === 'symbolic link' ? 'symlink' : 'file'
    const kept = memberName(name, options, gathered)
    gathered.members.push({
      name: kept,
      kind,
      mode: facts.mode,
      user: options.owner ?? user,
      group: options.group ?? user,
      modified: facts.modified.getTime() / 1000,
      target: facts.target ?? '',
      content: kind === 'file' ? Buffer.from(await fs.readFileBuffer(path)) : Buffer.alloc(0),
    })
    if (kind !== 'directory' || options.flags.has('flat')) return
    const names = (await fs.readdir(path)).sort()
    for (const inner of names) await add(fs.resolvePath(path, inner), `${withoutSlashes(name)}/${inner}`)
  }
  for (const operand of operands)
    await add(context.fs.resolvePath(given.place(operand), operand.name), operand.name)
  return gathered
}

const REMOVED = "Removing leading `/' from member names"

/** A name as it stands in the archive. */
function memberName(name: string, { flags }: TarOptions, { errors }: Gathered): string {
  if (!name.startsWith('/') || flags.has('absolute')) return name
  if (!errors.includes(REMOVED)) errors.push(REMOVED)
  return name.replace(/^\/+/, '') || '.'
}
