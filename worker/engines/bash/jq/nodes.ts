import type { Json } from './values.ts'

/** A pattern of `as`: `$x`, `[$a, $b]`, `{a: $x, $y}`. */
export type Destructuring =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Destructuring[] }
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }

interface Field {
  readonly key: Node
  /** Set as well: `{$x: pattern}`. */
  readonly variable: string | undefined
  readonly value: Destructuring | undefined
}

export interface Definition {
  readonly name: string
  /** Parameters; those that begin with `$` are values. */
  readonly parameters: readonly string[]
  readonly body: Node
}

/** A piece of a program. */
export type Node =
  | { readonly type: 'identity' | 'recurse' }
  | { readonly type: 'literal'; readonly value: Json }
  | { readonly type: 'text'; readonly format: string; readonly parts: readonly (string | Node)[] }
  | { readonly type: 'format'; readonly name: string }
  | { readonly type: 'index'; readonly target: Node; readonly key: Node }
  | {
      readonly type: 'slice'
      readonly target: Node
      readonly from: Node | undefined
      readonly to: Node | undefined
    }
  | { readonly type: 'each'; readonly target: Node }
  | { readonly type: 'array'; readonly body: Node | undefined }
  | { readonly type: 'object'; readonly entries: readonly { readonly key: Node; readonly value: Node }[] }
  | { readonly type: 'negative'; readonly body: Node }
  | Pair<'pipe'>
  | Pair<'comma'>
  | Pair<'and'>
  | Pair<'or'>
  | Pair<'otherwise'>
  | { readonly type: 'binary'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly type: 'assign'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly type: 'if'; readonly condition: Node; readonly yes: Node; readonly no: Node | undefined }
  | { readonly type: 'try'; readonly body: Node; readonly handler: Node | undefined }
  | {
      readonly type: 'reduce'
      readonly source: Node
      readonly pattern: Destructuring
      readonly start: Node
      readonly update: Node
    }
  | {
      readonly type: 'foreach'
      readonly source: Node
      readonly pattern: Destructuring
      readonly start: Node
      readonly update: Node
      readonly extract: Node | undefined
    }
  | {
      readonly type: 'as'
      readonly source: Node
      readonly patterns: readonly Destructuring[]
      readonly body: Node
    }
  | { readonly type: 'define'; readonly definition: Definition; readonly body: Node }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Node[] }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'label'; readonly name: string; readonly body: Node }
  | { readonly type: 'break'; readonly name: string }

interface Pair<T extends string> {
  readonly type: T
  readonly left: Node
  readonly right: Node
}
