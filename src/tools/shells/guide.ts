import type { SandboxSummary } from '../../hosted-sandbox/summary.ts'
import { bashGuide } from './bash.ts'
import type { ShellGuide } from './shell-guide.ts'
import { strandsGuide } from './strands.ts'

/** What is known of the shell of a sandbox; undefined for a sandbox that does not tell which it has. */
export function guideOf(summary: SandboxSummary | undefined): ShellGuide | undefined {
  if (summary === undefined) return undefined
  return summary.shell === 'bash' ? bashGuide : strandsGuide
}

/** One line for each command that the shell said it does not have; nothing for what a shell says that is not known. */
export function hintsFor(stderr: string, summary: SandboxSummary | undefined): string {
  const guide = guideOf(summary)
  if (guide === undefined || summary === undefined) return ''
  const names = new Set(Array.from(stderr.matchAll(guide.notFound), ([, name = '']) => name))
  return [...names].map((name) => hint(name, guide, summary)).join('\n')
}

function hint(name: string, guide: ShellGuide, summary: SandboxSummary): string {
  const instead = guide.insteadOf(name, summary)
  if (instead !== undefined) return `[${name} is not in this sandbox. Instead: ${instead}.]`
  return `[${name} is not in this sandbox. There are: ${guide.commandsOf(summary).join(' ')}.]`
}
