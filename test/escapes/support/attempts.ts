import type { HostedSandbox, StrandsShellConfig } from '../../../src/index.ts'

/** The config of a sandbox of either shell. */
export type AttemptConfig = Omit<StrandsShellConfig, 'shell'>

/** What stands outside of everything that is granted: no attempt may show it. */
export const SECRET = 'what-no-sandbox-is-granted-71'

/** One way somebody would try to get out. */
export interface Attempt<Places> {
  readonly name: string
  /** Why it could work. */
  readonly why: string
  /** What is run, or done. */
  readonly how: string | ((sandbox: HostedSandbox, places: Places) => Promise<unknown>)
  /** What is seen of it: exit code, output, or the error. */
  readonly seen: RegExp
  /** Beside the sandbox's usual config. */
  readonly config?: (places: Places) => AttemptConfig
}

/** What opens the sandboxes of attempts: a host, or what opens those of another engine. */
export interface Opener {
  open(config: AttemptConfig): Promise<HostedSandbox>
}

/** What every attempt should come to. */
export function refused<Places>(attempts: readonly Attempt<Places>[]): unknown {
  return attempts.map(({ name }) => ({ name, as: 'expected', escaped: false }))
}

/** Attempts at once: workers are then used again, which is faster than starting more. */
const LANES = 3

/**
 * Makes each attempt, with the names of its places written into commands as `{name}`: each in a sandbox of its own where
 * each has places of its own, else a third of them in one.
 */
export async function tryAll<Places extends object>(
  attempts: readonly Attempt<Places>[],
  host: Opener,
  configOf: (places: Places) => AttemptConfig,
  given: Places | readonly Places[],
): Promise<readonly unknown[]> {
  const left = [...attempts.entries()]
  const outcomes: unknown[] = []
  const lane = async () => {
    let kept: HostedSandbox | undefined
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, attempt] = next
      const places = 'length' in given ? given[index] : given
      if (places === undefined) throw new Error('there are fewer places than attempts')
      const own = 'length' in given || attempt.config !== undefined
      const open = () => host.open({ ...configOf(places), ...attempt.config?.(places) })
      if (!own) kept ??= await open()
      const sandbox = own || kept === undefined ? await open() : kept
      const seen = await outcomeOf(attempt, sandbox, places)
      if (own) await sandbox.close()
      const as = attempt.seen.test(seen) ? 'expected' : seen
      outcomes[index] = { name: attempt.name, as, escaped: seen.includes(SECRET) }
    }
    await kept?.close()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return outcomes
}

async function outcomeOf<Places extends object>(
  { how }: Attempt<Places>,
  sandbox: HostedSandbox,
  places: Places,
): Promise<string> {
  try {
    const result = await (typeof how === 'string'
      ? sandbox.execute(filled(how, places))
      : how(sandbox, places))
    return said(result)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return `${'code' in error ? String(error.code) : error.name}: ${error.message}`
  }
}

function said(result: unknown): string {
  if (typeof result === 'object' && result !== null && 'exitCode' in result) {
    const { exitCode, stdout, stderr } = { stdout: '', stderr: '', ...result }
    return `${String(exitCode)} ${stdout}${stderr}`
  }
  return result instanceof Uint8Array ? new TextDecoder().decode(result) : JSON.stringify(result ?? null)
}

/** A text with `{name}` replaced by the place of that name. */
function filled(text: string, places: object): string {
  return Object.entries(places).reduce(
    (done, [name, place]) => done.replaceAll(`{${name}}`, String(place)),
    text,
  )
}
