/** Whether a path is a directory or lies below it. Both are absolute and normalized. */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`)
}
