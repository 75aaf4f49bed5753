const guarded = [Object, Array, Function, String, Error, Map, Promise, Uint8Array].map(
  (made) => made.prototype,
)

/** The names that the prototypes have of which everything is made: it changes where one was polluted. */
export function builtIns(): string {
  return guarded.map((prototype) => Reflect.ownKeys(prototype).map(String).join()).join(';')
}
