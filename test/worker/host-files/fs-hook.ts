/** Called before each call of a file system function, but not for those that it makes itself. */
export const hook: { before: ((name: string) => void) | undefined } = { before: undefined }

/** `node:fs` whose synchronous functions tell {@link hook} first: what `vi.mock('node:fs')` is given. */
export function hooked(real: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(real).map(([name, value]) => {
    if (typeof value !== 'function' || !name.endsWith('Sync')) return [name, value]
    const call = (...args: unknown[]): unknown => {
      const { before } = hook
      hook.before = undefined
      before?.(name)
      if (before !== undefined) hook.before = before
      return Reflect.apply(value, undefined, args)
    }
    return [name, call]
  })
  return Object.fromEntries(entries)
}
