import type { SandboxSummary } from '../hosted-sandbox/summary.ts'
import { reading, refuse } from '../sandbox/arguments.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { kindOf } from '../sandbox/show-value.ts'
import type { ResolvedToolsOptions } from './options.ts'
import { Spill } from './output/spill.ts'
import type { ToolId } from './sandbox-tool.ts'

/** What the tools of one sandbox share. */
export interface ToolKit {
  readonly sandbox: Sandbox
  /** What is known of the sandbox; undefined for one that does not tell. */
  readonly summary: SandboxSummary | undefined
  readonly options: ResolvedToolsOptions
  readonly spill: Spill | undefined
  /** What the model calls a tool, where it has it. */
  nameOf(id: ToolId): string | undefined
}

/** Makes what the tools of one sandbox share. @throws SandboxConfigError for what is no sandbox, such as a host or a promise */
export function toolKit(sandbox: Sandbox, options: ResolvedToolsOptions): ToolKit {
  requireSandbox(sandbox)
  const { spillDirectory, include, names } = options
  return {
    sandbox,
    summary: summaryOf(sandbox),
    options,
    spill: spillDirectory === undefined ? undefined : new Spill(sandbox, spillDirectory),
    nameOf: (id) => (include.includes(id) ? names[id] : undefined),
  }
}

/** By shape, since it may be of another copy of this package. */
function requireSandbox(sandbox: unknown): void {
  reading('sandbox', () => {
    const isSandbox = typeof sandbox === 'object' && sandbox !== null && 'execute' in sandbox
    if (isSandbox && typeof sandbox.execute === 'function') return
    throw refuse('sandbox', `must be a sandbox, but is ${kindOf(sandbox)}. Await host.open() for one.`)
  })
}

/** What a sandbox says of itself: by shape, since it may be of another copy of this package. */
function summaryOf(sandbox: Sandbox & { readonly summary?: SandboxSummary }): SandboxSummary | undefined {
  const { summary } = sandbox
  return Array.isArray(summary?.binds) && Array.isArray(summary.allowedUrls) ? summary : undefined
}
