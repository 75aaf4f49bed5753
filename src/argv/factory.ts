import { refuse } from '../sandbox/arguments.ts'
import { kindOf } from '../sandbox/show-value.ts'
import { requireKnownKeys, requireWorkdir } from './arguments.ts'
import type { ArgvSandbox } from './argv-sandbox.ts'

/** A sandbox for one run. */
export interface OpenedSandbox {
  /** The sandbox itself. */
  readonly sandbox: ArgvSandbox
  /** Ends the run's use of it. */
  close(): Promise<void>
}

/** Opens a sandbox for each run of an adapter. `Context` is what callers of a run may hand over, such as a tenant. */
export interface SandboxFactory<Context = unknown> {
  /** Opens one, or gives the one there is. */
  open(context?: Context): Promise<OpenedSandbox>
  /** The sandbox, where it is the same for every run. */
  readonly sandbox?: ArgvSandbox | undefined
  /**
   * The workdir of the sandboxes it will open. Commands are checked against it before one is opened.
   *
   * @default undefined (`/workspace`)
   */
  readonly workdir?: string | undefined
}

/** A factory of one sandbox that it never closes: that is its owner's to do. */
export function singleton(sandbox: ArgvSandbox): SandboxFactory & {
  /** The sandbox it was given. */
  readonly sandbox: ArgvSandbox
} {
  if (!isArgvSandbox(sandbox)) throw refuse('sandbox', `must be an ArgvSandbox, but is ${kindOf(sandbox)}.`)
  return { sandbox, open: async () => ({ sandbox, close: async () => undefined }) }
}

/**
 * A factory that makes a sandbox for each run and closes it after.
 *
 * @param make - Is given the context of the run.
 * @param declared - What to know of its sandboxes before one is made.
 */
export function perRun<Context = unknown>(
  make: (context?: Context) => ArgvSandbox | Promise<ArgvSandbox>,
  declared: { readonly workdir?: string | undefined } = {},
): SandboxFactory<Context> {
  if (typeof make !== 'function') throw refuse('make', `must be a function, but is ${kindOf(make)}.`)
  requireKnownKeys(declared, ['workdir'])
  return {
    workdir: declared.workdir === undefined ? undefined : requireWorkdir(declared.workdir),
    open: async (context) => {
      const sandbox = await make(context)
      if (!isArgvSandbox(sandbox))
        throw refuse('make', `must give an ArgvSandbox, but gave ${kindOf(sandbox)}.`)
      return { sandbox, close: () => sandbox.close() }
    },
  }
}

/** Takes a sandbox as the factory of itself, and a factory as it is. */
export function toFactory<Context>(source: ArgvSandbox | SandboxFactory<Context>): SandboxFactory<Context> {
  if (isArgvSandbox(source)) return singleton(source)
  if (typeof source === 'object' && source !== null && typeof source.open === 'function') return source
  throw refuse('sandbox', `must be an ArgvSandbox or a factory of one, but is ${kindOf(source)}.`)
}

/** Opens a sandbox, works with it and closes it. The first cause wins over a failure to close. */
export async function withSandbox<Context, T>(
  factory: SandboxFactory<Context>,
  context: Context | undefined,
  work: (sandbox: ArgvSandbox) => Promise<T>,
): Promise<T> {
  const opened = await factory.open(context)
  let result: T
  try {
    result = await work(opened.sandbox)
  } catch (error) {
    await Promise.allSettled([opened.close()])
    throw error
  }
  await opened.close()
  return result
}

function isArgvSandbox(value: unknown): value is ArgvSandbox {
  return typeof value === 'object' && value !== null && 'exec' in value && typeof value.exec === 'function'
}
