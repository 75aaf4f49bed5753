import { expect } from 'vitest'

// Bytes of one class are compared at once: element by element it takes long where there are many.
expect.addEqualityTesters([
  (one: unknown, other: unknown) =>
    one instanceof Uint8Array && other instanceof Uint8Array && one.constructor === other.constructor
      ? Buffer.compare(one, other) === 0
      : undefined,
])
