import type { Contender, ContenderName } from './contender.ts'

/** Loads one contender and nothing of the others. */
export async function loadContender(name: ContenderName): Promise<Contender> {
  switch (name) {
    case 'ours-worker':
      return (await import('./ours.ts')).ours('worker')
    case 'ours-shared':
      return (await import('./ours.ts')).ours('shared')
    case 'ours-process':
      return (await import('./ours.ts')).ours('process')
    case 'ours-bash-worker':
      return (await import('./ours.ts')).ours('worker', 'bash')
    case 'ours-bash-shared':
      return (await import('./ours.ts')).ours('shared', 'bash')
    case 'ours-bash-process':
      return (await import('./ours.ts')).ours('process', 'bash')
    case 'ours-jail-shared':
      return (await import('./ours.ts')).ours('shared', 'jail')
    case 'raw':
      return (await import('./raw.ts')).raw
    case 'echo':
      return (await import('./echo.ts')).echo
    case 'just-bash':
      return (await import('./just-bash.ts')).justBash
    case 'bashkit':
      return (await import('./bashkit.ts')).bashkit
    case 'bash':
      return (await import('./bash.ts')).bash
  }
}
