import type { SandboxSummary } from '../hosted-sandbox/summary.ts'
import { guideOf } from './shells/guide.ts'

/** What the commands of a sandbox are and lack, for the model. */
export function describeShell(summary: SandboxSummary | undefined): string {
  const guide = guideOf(summary)
  if (summary === undefined || guide === undefined) {
    return 'Runs a command in the shell of a sandbox. Files last from call to call; do not rely on the working directory, variables or background jobs to last: use absolute paths.'
  }
  return guide.describe(summary)
}

/** How long a command may run, for the model. */
export function describeTime(
  summary: SandboxSummary | undefined,
  defaultTimeout: number | undefined,
): string {
  const own =
    defaultTimeout === undefined
      ? ''
      : ` Without \`timeout\` a call times out after ${seconds(defaultTimeout)}.`
  const guide = guideOf(summary)
  if (summary === undefined || guide === undefined) return own.trim()
  const { timeout, onInterrupt } = summary
  const limit = timeout === undefined ? 'the time limit of the sandbox' : seconds(timeout)
  const after = interrupted[onInterrupt] ?? guide.interrupted
  return `The sandbox ends a command after ${limit} with exit code 124; the session lives on, and no \`timeout\` extends it. A shorter \`timeout\` ends the call earlier: ${after}.${own}`
}

/** What becomes of a call that times out; undefined where that depends on the shell. */
const interrupted: Readonly<Record<SandboxSummary['onInterrupt'], string | undefined>> = {
  keep: undefined,
  reset: 'the session ends at once, and what it has in memory is lost',
  restore: 'the session is then as it was before the call',
}

/** Which files there are and where they live, for the model. */
export function describeFiles(summary: SandboxSummary | undefined): string {
  const guide = guideOf(summary)
  if (summary === undefined || guide === undefined) return ''
  const places = summary.binds.map((bind) => `${bind.destination} ${describeBind(bind)}.`)
  const more = summary.hasConfigFile ? ' There may be more directories of the host.' : ''
  const rest =
    places.length === 0
      ? `All files are in memory and go with the session; ${guide.writable(summary)}.`
      : `All else is in memory and goes with the session; of it ${guide.writable(summary)}.`
  return `${[...places, rest].join(' ')}${more}`
}

function describeBind({ mode, readonly }: SandboxSummary['binds'][number]): string {
  if (mode === 'copy')
    return 'is a copy of a directory of the host: what you write there stays in the sandbox'
  if (readonly) return 'is a directory of the host that you can only read'
  const shared =
    'is a directory of the host: what you write or remove there is written or removed on the host'
  return mode === 'passthrough' ? `${shared}; write each file whole and once, appends may be lost` : shared
}

/** What can be reached of the network, for the model. Never a token. */
export function describeNetwork(summary: SandboxSummary | undefined): string {
  if (summary === undefined) return ''
  const { network, allowedUrls, credentialUrls, hasConfigFile } = summary
  const credentials =
    credentialUrls.length === 0
      ? ''
      : ` Requests below ${credentialUrls.join(', ')} get their credentials from the sandbox: add none.`
  return `${describeReach(network, allowedUrls, hasConfigFile)}${credentials}`
}

function describeReach(
  network: SandboxSummary['network'],
  allowedUrls: readonly string[],
  hasConfigFile: boolean,
): string {
  const list = allowedUrls.join(', ')
  switch (network) {
    case 'none':
      return 'There is no network.'
    case 'allowlist':
      return list === ''
        ? 'There is no network.'
        : `Of the network only these addresses can be reached, and what is below them: ${list}.`
    case 'public': {
      const also = list === '' ? '' : `, except below ${list}`
      const more = hasConfigFile ? ' and what its config file allows' : ''
      return `curl reaches public hosts; private and local addresses are refused${also}${more}.`
    }
    default:
      return list === '' ? '' : `These addresses may be reached: ${list}.`
  }
}

/** Puts the parts of a description together. */
export function joinParts(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n')
}

function seconds(amount: number): string {
  return `${amount} ${amount === 1 ? 'second' : 'seconds'}`
}
