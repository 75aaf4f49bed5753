import type { PolicyRules } from '../../../../src/contract/policy-rules.ts'

const isWithin = (path: string, directory: string) =>
  path === directory || directory === '/' || path.startsWith(`${directory}/`)

/** On a disk that does not tell them apart, such names are one. */
const folded = (path: string) => path.normalize('NFC').toUpperCase().toLowerCase()

/** What a {@link PathRules} is made of. Paths are absolute, in their one form. */
interface PathRulesOptions extends Pick<PolicyRules, 'writablePaths'> {
  readonly protectedPaths: readonly string[]
  /** Places of binds: the disk of the host decides whether `A` is `a` there. */
  readonly binds: readonly string[]
}

/** Which paths can be written. A path that is asked for leads through no link. */
export class PathRules {
  readonly #protected: readonly string[]
  readonly #writable: readonly string[]
  readonly #binds: readonly string[]

  constructor({ protectedPaths, writablePaths = [], binds }: PathRulesOptions) {
    this.#protected = protectedPaths
    this.#writable = writablePaths
    this.#binds = binds
  }

  /** The protected path that a path is at or below; undefined where it can be written. */
  holder(path: string): string | undefined {
    const holder = longest(this.#protected.filter((each) => this.#holds(each, path)))
    if (holder === undefined) return undefined
    const exception = longest(this.#writable.filter((each) => isWithin(path, each)))
    return exception !== undefined && exception.length > holder.length ? undefined : holder
  }

  /** The same for what is made, moved or removed at a path: that would take what is below with it. */
  holderOfPlace(path: string): string | undefined {
    return this.holder(path) ?? this.#protected.find((each) => this.#holds(path, each))
  }

  #holds(directory: string, path: string): boolean {
    if (isWithin(path, directory)) return true
    const isOfHost = this.#binds.some((each) => isWithin(path, each) && isWithin(directory, each))
    return isOfHost && isWithin(folded(path), folded(directory))
  }
}

const longest = (paths: readonly string[]): string | undefined =>
  paths.reduce<string | undefined>(
    (best, path) => (best === undefined || path.length > best.length ? path : best),
    undefined,
  )
