import type { Labels } from '../host/event-data.ts'
import { refuse } from '../sandbox/arguments.ts'
import { kindOf, quote, showValue } from '../sandbox/show-value.ts'
import { BoundedValues } from './bounded-values.ts'
import { OWN_LABELS } from './metrics.ts'

/** The labels of sandboxes that are labels of metrics, with a bounded number of values. */
export class MetricLabels {
  readonly names: readonly string[]
  readonly #seen: readonly (readonly [name: string, values: BoundedValues])[]

  /** @throws SandboxConfigError with the field `labels` or `labels[i]` */
  constructor(names: unknown = []) {
    this.names = requireNames(names)
    this.#seen = this.names.map((name) => [name, new BoundedValues()])
  }

  /** Those of a sandbox; an empty text for one that it does not have. */
  of(labels: Labels): Record<string, string> {
    const chosen: Record<string, string> = {}
    for (const [name, values] of this.#seen) chosen[name] = values.of(labels[name] ?? '')
    return chosen
  }
}

function requireNames(names: unknown): readonly string[] {
  if (!Array.isArray(names))
    throw refuse('labels', `must be an array of names of labels, but is ${kindOf(names)}.`)
  return Array.from(names, (name: unknown, index) => {
    const field = `labels[${index}]`
    if (typeof name !== 'string' || !/^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw refuse(
        field,
        `must be a name of letters, digits and underscores that begins with no digit and not with "__", but is ${showValue(name)}.`,
      )
    if (OWN_LABELS.has(name))
      throw refuse(
        field,
        `is ${quote(name)}, a label that the metrics have. Give the label of the sandboxes another name.`,
      )
    if (names.indexOf(name) !== index) throw refuse(field, `is ${quote(name)}, which is there twice.`)
    return name
  })
}
