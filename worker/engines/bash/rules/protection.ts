import { isStream } from '../files/devices.ts'
import { FileError } from '../files/file-error.ts'
import type { Refuse } from '../files/refusal.ts'
import type { PathRules } from './path-rules.ts'

/** A path cannot be written because the policy protects it. */
class ProtectedError extends FileError {
  override readonly protectedBy: string

  constructor(operation: string, path: string, protectedBy: string) {
    super('EACCES', operation, path)
    this.protectedBy = protectedBy
  }
}

/** Refuses what the policy protects. Paths lead through no link, but perhaps the last name of a place. */
export class Protection {
  readonly #rules: PathRules
  readonly #refuse: Refuse

  constructor(rules: PathRules, refuse: Refuse) {
    this.#rules = rules
    this.#refuse = refuse
  }

  /** @throws what {@link Refuse} makes of a {@link ProtectedError}, where a path cannot be written */
  write(operation: string, path: string): void {
    if (!isStream(path)) this.#check(operation, path, this.#rules.holder(path))
  }

  /** @throws the same, where what is at a path cannot be made a link, moved, replaced or removed */
  replace(operation: string, path: string): void {
    this.#check(operation, path, this.#rules.holderOfPlace(path))
  }

  #check(operation: string, path: string, holder: string | undefined): void {
    if (holder !== undefined) throw this.#refuse(new ProtectedError(operation, path, holder))
  }
}
