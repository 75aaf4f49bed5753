import type { BashRecord } from '../../../../src/contract/shell-record.ts'
import { resolveSource } from '../../../host-files/resolve-source.ts'
import type { MemoryFs, SandboxFs } from '../files/memory-fs.ts'
import type { Refuse } from '../files/refusal.ts'
import { CommandRules } from './command-rules.ts'
import { linkPlaces } from './link-places.ts'
import { otherPlaces } from './other-places.ts'
import { PathRules } from './path-rules.ts'
import { Protection } from './protection.ts'

/** The rules of a session, which count from when it has begun. */
export interface SessionRules {
  /** Undefined: every command runs. */
  readonly commands: CommandRules | undefined
  /** What the session begins with is there, or what is restored. */
  begin(): Promise<void>
}

interface RulesContext {
  /** The files of the session. */
  readonly fs: SandboxFs
  /** Those in memory, which have the protection of all. */
  readonly memory: MemoryFs
  readonly refuse: Refuse
}

/** The rules of a record; undefined where nothing is refused. */
export function openRules(
  { rules, binds }: Pick<BashRecord, 'rules' | 'binds'>,
  { fs, memory, refuse }: RulesContext,
): SessionRules | undefined {
  if (rules === undefined) return undefined
  const { allowed, denied = [], protectedPaths = [], writablePaths = [] } = rules
  const commands = allowed === undefined && denied.length === 0 ? undefined : new CommandRules(rules, fs)
  return {
    commands,
    async begin() {
      if (commands !== undefined) commands.begun = true
      if (protectedPaths.length === 0) return
      const found = (await Promise.all(protectedPaths.map((path) => linkPlaces(path, fs)))).flat()
      const resolved = binds.map(resolveSource)
      const others = found.flatMap((path) => otherPlaces(path, resolved))
      const pathRules = new PathRules({
        protectedPaths: [...found, ...others],
        writablePaths,
        binds: binds.map(({ destination }) => destination),
      })
      memory.protection = new Protection(pathRules, refuse)
    },
  }
}
