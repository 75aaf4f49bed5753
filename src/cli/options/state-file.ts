import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { PROGRAM } from '../failure.ts'

/** Where this program keeps something for its user, by the XDG base directory rules. */
export function stateFile(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const state = env['XDG_STATE_HOME'] ?? ''
  return join(isAbsolute(state) ? state : join(homedir(), '.local', 'state'), PROGRAM, name)
}
