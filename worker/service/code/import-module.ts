/** Set where the code was loaded by `load-script.ts`: `import()` fails there. */
declare const $import: ((url: string) => Promise<unknown>) | undefined

/** Imports an ES module by its URL, or one of Node's. */
export const importModule: (url: string) => Promise<unknown> =
  typeof $import === 'undefined' ? (url) => import(url) : $import
