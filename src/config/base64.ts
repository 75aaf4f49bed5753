import * as v from 'valibot'
import { refuse } from '../sandbox/arguments.ts'
import { fieldPath } from '../sandbox/field-path.ts'
import { fields, text } from './rules.ts'
import { snapshot } from './snapshot.ts'

const schema = fields(
  {
    base64: text(
      { expected: 'Base64', remedy: 'Use A-Z, a-z, 0-9, "+", "/" and "=" at the end.', secret: true },
      (value) => /^[A-Za-z0-9+/]*={0,2}$/.test(value),
    ),
  },
  'a plain object like { base64 }',
)

/**
 * The bytes of an object like `{ base64 }`.
 *
 * @param field - the path of the object in what the caller passed
 * @throws SandboxConfigError naming the field that is not valid
 */
export function bytesOfBase64(content: object, field: readonly string[]): Uint8Array<ArrayBuffer> {
  const result = v.safeParse(schema, snapshot(content))
  if (result.success) return new Uint8Array(Buffer.from(result.output.base64, 'base64'))
  const [{ path = [], message }] = result.issues
  throw refuse(fieldPath([...field, ...path.map(({ key }) => String(key))]), message)
}
