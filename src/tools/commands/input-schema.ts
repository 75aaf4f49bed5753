/** A JSON schema, as far as the words of a command line follow from it. */
type Schema = Readonly<Record<string, unknown>>

/** One property of a tool's input. */
export interface Property {
  readonly name: string
  readonly types: ReadonlySet<string>
  readonly required: boolean
  readonly description: string | undefined
  /** The values that it can have; undefined where there is no list of them. */
  readonly values: readonly unknown[] | undefined
  /** Of an array: what its items are. */
  readonly items: Pick<Property, 'types' | 'values'>
}

const anything: Pick<Property, 'types' | 'values'> = { types: new Set(), values: undefined }

/** The properties of a tool's input. A schema that is not one of an object has none. */
export function propertiesOf(schema: unknown): readonly Property[] {
  const properties = isSchema(schema) ? schema['properties'] : undefined
  if (!isSchema(schema) || !isSchema(properties)) return []
  const required: unknown = schema['required']
  return Object.entries(properties).map(([name, property]) => {
    const resolved = resolve(property, schema)
    const description = resolved['description']
    return {
      name,
      ...kindOf(resolved, schema),
      required: Array.isArray(required) && required.includes(name),
      description: typeof description === 'string' ? description : undefined,
      items: 'items' in resolved ? kindOf(resolve(resolved['items'], schema), schema) : anything,
    }
  })
}

/** The types and values that a schema allows; all where it does not say. */
function kindOf(schema: Schema, root: Schema): Pick<Property, 'types' | 'values'> {
  const parts = [schema['anyOf'], schema['oneOf']].find(Array.isArray)
  if (parts !== undefined) {
    const kinds = parts.map((part: unknown) => kindOf(resolve(part, root), root))
    const values = kinds.flatMap(({ types, values }) => values ?? (types.has('null') ? [null] : []))
    const isListed = kinds.every(({ types, values }) => values !== undefined || isNull(types))
    return {
      types: new Set(kinds.flatMap(({ types }) => [...types])),
      values: isListed ? values : undefined,
    }
  }
  const values = 'const' in schema ? [schema['const']] : schema['enum']
  if (Array.isArray(values)) return { types: new Set(values.map(typeOf)), values }
  const { type } = schema
  if (typeof type === 'string') return { types: new Set([type]), values: undefined }
  if (!Array.isArray(type)) return anything
  return { types: new Set(type.filter((one) => typeof one === 'string')), values: undefined }
}

/** Follows a reference into the definitions of the schema itself. */
function resolve(schema: unknown, root: Schema, depth = 0): Schema {
  if (!isSchema(schema)) return {}
  const { $ref } = schema
  if (typeof $ref !== 'string' || !$ref.startsWith('#/') || depth > 8) return schema
  let found: unknown = root
  for (const key of $ref.slice(2).split('/')) found = isSchema(found) ? found[key] : undefined
  return { ...resolve(found, root, depth + 1), ...schema }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isNull = (types: ReadonlySet<string>): boolean => types.size === 1 && types.has('null')

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
