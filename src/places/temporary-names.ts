/** The variables that say where temporary files are made. */
export const temporaryNames = ['TMPDIR', 'TMP', 'TEMP'] as const

/** What an environment says of it: all that a worker gets of this process's. */
export function temporaryEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(
    temporaryNames.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]),
  )
}
