/** Whether an object is plain data: a literal, a `JSON.parse` result or without a prototype, of any realm. */
export function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype === null || prototype === Object.prototype) return true
  return (
    typeof prototype === 'object' &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'isPrototypeOf')
  )
}
