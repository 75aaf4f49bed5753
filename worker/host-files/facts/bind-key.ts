import { BIND_KEY } from '../../../src/contract/checkpoint.ts'
import { isPlainPath } from '../names.ts'
import { isList, isText, wrongFact } from './values.ts'

/** The key of the fact of the marks of a session. */
export const MARKS_KEY = `${BIND_KEY}marks`

/**
 * What a fact says of a path: `known`, what was recorded of it; `own`, what the sandbox has there and the host has not;
 * `read`, what the host had when the sandbox last read it.
 */
export type BindFactKind = 'known' | 'own' | 'read'

/** A bind that can have facts. */
export interface BindName {
  readonly mode: 'copy' | 'direct'
  /** Absolute. */
  readonly destination: string
}

/** What the fact of a key is about. */
export interface BindKey extends BindName {
  readonly kind: BindFactKind
  /** Relative to the bind. */
  readonly rel: string
}

export function bindKey({ kind, mode, destination, rel }: BindKey): string {
  return `${BIND_KEY}${kind} ${JSON.stringify([mode, destination, rel])}`
}

/** @throws {TypeError} where a checkpoint holds something else */
export function readBindKey(key: string): BindKey {
  const [, kind, json = ''] = /^(known|own|read) (.*)$/s.exec(key.slice(BIND_KEY.length)) ?? []
  if (kind !== 'known' && kind !== 'own' && kind !== 'read') throw wrongFact()
  const parts: unknown = JSON.parse(json)
  if (!isList(parts, isText)) throw wrongFact()
  const [mode, destination = '', rel] = parts
  if ((mode !== 'copy' && mode !== 'direct') || rel === undefined || !isPath(rel)) throw wrongFact()
  return { kind, mode, destination, rel }
}

/** Names that are no UTF-8 can be in the sandbox alone. */
function isPath(rel: string): boolean {
  return isPlainPath(rel.replaceAll(/[\udc80-\udcff]/gu, '?'))
}
