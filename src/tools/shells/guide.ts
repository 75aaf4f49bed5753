import type { EngineName } from '../../contract/lease.ts'
import type { SandboxSummary } from '../../hosted-sandbox/summary.ts'
import { bashGuide } from './bash.ts'
import { jailGuide } from './jail.ts'
import type { ShellGuide } from './shell-guide.ts'
import { strandsGuide } from './strands.ts'

const guides: Readonly<Record<EngineName, ShellGuide>> = {
  bash: bashGuide,
  jail: jailGuide,
  strands: strandsGuide,
}

/** What is known of the shell of a sandbox; undefined for a sandbox that does not tell which it has. */
export function guideOf(summary: SandboxSummary | undefined): ShellGuide | undefined {
  return summary === undefined ? undefined : guides[summary.shell]
}

/** One line for each command and option that the shell said it does not have; nothing for what is not known. */
export function hintsFor(stderr: string, summary: SandboxSummary | undefined): string {
  const guide = guideOf(summary)
  if (guide === undefined || summary === undefined) return ''
  const names = new Set(Array.from(stderr.matchAll(guide.notFound), ([, name = '']) => name))
  const lines = [...names].map((name) => hint(name, guide, summary))
  return [...lines, ...optionHints(stderr, guide)].join('\n')
}

function optionHints(stderr: string, { missingOptions }: ShellGuide): string[] {
  if (missingOptions === undefined) return []
  const lines = new Set<string>()
  for (const { groups } of stderr.matchAll(missingOptions.message)) {
    const name = groups?.['name'] ?? ''
    const option = groups?.['option'] ?? groups?.['predicate'] ?? groups?.['missing'] ?? ''
    const instead = missingOptions.instead(name, option)
    lines.add(`[${name} has no ${option} in this sandbox.${instead === undefined ? '' : ` ${instead}`}]`)
  }
  return [...lines]
}

function hint(name: string, guide: ShellGuide, summary: SandboxSummary): string {
  const instead = guide.insteadOf(name, summary)
  if (instead !== undefined) return `[${name} is not in this sandbox. Instead: ${instead}.]`
  return `[${name} is not in this sandbox. There are: ${guide.commandsOf(summary).join(' ')}.]`
}
