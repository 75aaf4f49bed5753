import { quote } from './show-value.ts'

const plainName = /^[a-zA-Z_$][a-zA-Z0-9_$]{0,39}$/

/** Writes the way to a value as JavaScript would: `binds[0].destination`; `config` for the root. */
export function fieldPath(keys: readonly (string | number)[]): string {
  let path = ''
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`
    else if (plainName.test(key)) path += path === '' ? key : `.${key}`
    else path += `[${quote(key)}]`
  }
  return path === '' ? 'config' : path
}
