import { SandboxError } from '../../../src/index.ts'

/** What a call rejected with; fails when it resolves, or rejects with anything but a `SandboxError`. */
export async function failureOf(call: Promise<unknown>): Promise<SandboxError> {
  try {
    await call
  } catch (error) {
    if (error instanceof SandboxError) return error
    throw error
  }
  throw new Error('the call did not reject')
}

/** The facts of a failure that a caller can branch on: its class, its code, and the fields of its class. */
export async function factsOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await failureOf(call)
  const { name, code } = error
  const fields = [
    'field',
    'path',
    'limit',
    'value',
    'written',
    'pending',
    'exitCode',
    'stdout',
    'stderr',
  ] as const
  const present = fields.filter((field) => field in error)
  return { name, code, ...Object.fromEntries(present.map((field) => [field, Reflect.get(error, field)])) }
}

/** All that an error says to anyone who prints it: message, stack, fields, and those of its causes. */
export function everythingSaidBy(error: unknown): string {
  const said: string[] = []
  for (let link: unknown = error; link instanceof Error; link = link.cause) {
    said.push(link.name, link.message, link.stack ?? '', JSON.stringify({ ...link }))
  }
  return said.join('\n')
}
