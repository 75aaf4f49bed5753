import type { Tool } from '@strands-agents/sdk'
import { refuse } from '../sandbox/arguments.ts'
import { optionsOf } from '../sandbox/options-of.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { agentTools } from './agent-tools.ts'
import { DelegatingSandbox } from './delegating-sandbox.ts'
import { type ResolvedTools, resolveTools, type StrandsOptions, type ToolsOptions } from './options.ts'

/** Seconds that the SDK gives a command where neither the model nor the sandbox says. */
const SDK_TIMEOUT = 120

/** A sandbox for agents of the Strands SDK: with its errors, and with tools that an agent registers by itself. */
export class StrandsSandbox<Inner extends Sandbox = Sandbox> extends DelegatingSandbox<Inner> {
  readonly #tools: ResolvedTools | false

  /** @throws {SandboxConfigError} naming the option that is not valid */
  constructor(inner: Inner, tools?: ToolsOptions | false) {
    super(inner)
    this.#tools = resolveTools(tools, 'summary' in inner ? undefined : SDK_TIMEOUT)
  }

  /** The SDK's own shell and editor on this sandbox, as `tools` says. */
  override getTools(): Tool[] {
    return this.#tools === false ? [] : agentTools(this.inner, this.#tools)
  }
}

/**
 * Any sandbox of this package for an agent of the Strands SDK: `new Agent({ sandbox: asStrandsSandbox(localShell()) })`. It
 * does not own the sandbox: close that yourself.
 *
 * @throws {SandboxConfigError} naming the option that is not valid
 */
export function asStrandsSandbox<Inner extends Sandbox>(
  sandbox: Inner,
  options: StrandsOptions = {},
): StrandsSandbox<Inner> {
  if (typeof sandbox !== 'object' || sandbox === null || typeof sandbox.execute !== 'function') {
    throw refuse('sandbox', `must be a sandbox, but is ${kindOf(sandbox)}.`)
  }
  optionsOf<StrandsOptions>(options, ['tools'])
  return new StrandsSandbox(sandbox, options.tools)
}
