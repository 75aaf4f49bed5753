import { readdirSync, readFileSync } from 'node:fs'

/**
 * The process groups of a session: that of its leader, and those of children that moved to a group of their own, as
 * `timeout` and the job control of a shell do. Without a `/proc` only the first is known.
 *
 * @param session - The id of the process that leads it.
 */
export function sessionGroups(session: number): readonly number[] {
  const groups = new Set([session])
  for (const name of processes()) {
    const [, , group, of] = statOf(name)
    if (Number(of) === session) groups.add(Number(group))
  }
  return [...groups]
}

function processes(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return [] // Not every system has it.
  }
}

/** State, parent, group, session and more; empty for a process that has ended. */
function statOf(process: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, 'latin1')
    // The name before them may hold blanks and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return [] // It has ended, or is hidden.
  }
}
