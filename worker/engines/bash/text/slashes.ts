/** A path without the slashes at its end. */
export const withoutSlashes = (path: string): string => path.replace(/\/+$/, '')

/** The last name of a path. */
export const lastName = (path: string): string => withoutSlashes(path).split('/').at(-1) ?? path
