import { existsSync } from 'node:fs'

/** Where programs of the system are. A thread does not know this process's `PATH`, and none but these are trusted. */
export const systemPath = '/usr/sbin:/usr/bin:/sbin:/bin'

/** The path of a program of the system; undefined where there is none. */
export function systemTool(name: string): string | undefined {
  return systemPath
    .split(':')
    .map((directory) => `${directory}/${name}`)
    .find((path) => existsSync(path))
}
