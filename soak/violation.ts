/** A broken promise of the runtime. It ends the run. */
export class Violation extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Violation'
  }
}

/** @throws {Violation} with `message` unless the condition holds */
export function demand(condition: boolean, message: () => string): void {
  if (!condition) throw new Violation(message())
}

/** @throws {Violation} where `actual` is not `expected`, compared as JSON */
export function demandSame(actual: unknown, expected: unknown, what: string): void {
  const [came, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  demand(came === wanted, () => `${what} is ${clip(came)}, and should be ${clip(wanted)}`)
}

/** Text short enough for a message. */
export function clip(text: string | undefined, most = 300): string {
  if (text === undefined || text.length <= most) return text ?? 'undefined'
  return `${text.slice(0, most)}… (${text.length} characters)`
}
