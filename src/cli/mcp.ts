import type { ChangeToolId } from '../mcp/options.ts'
import { SandboxConfigError } from '../sandbox/errors.ts'
import { isError } from '../sandbox/kinds.ts'
import { EXIT } from './exit-codes.ts'
import { CliError, exitCodeOf, PROGRAM } from './failure.ts'
import { requireEngine } from './options/require-engine.ts'
import {
  asSandboxConfig,
  configOf,
  inDirectory,
  inTermsOfOptions,
  isolationOf,
} from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'
import type { Output } from './output.ts'
import { stopOnSignal } from './signals.ts'

/** The options of `mcp`, as commander hands them over. */
export interface McpOptions extends SandboxOptions {
  readonly cwd?: string
  /** A port. */
  readonly http?: number
  readonly hostname?: string
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  readonly maxSessions?: number
  readonly changes?: boolean
  readonly applyChanges?: boolean
  /** Seconds. */
  readonly idleTimeout?: number
}

/** Serves MCP until the input ends or a signal comes; gives the exit code. */
export async function mcp(options: McpOptions, stderr: Output): Promise<number> {
  const { http, hostname, allowHost, allowOrigin, maxSessions, idleTimeout, network } = options
  try {
    const { runMcp } = await import('../mcp/cli.ts')
    const config = inDirectory(await configOf(options, 'bash'), options.cwd)
    const sandbox = asSandboxConfig(config)
    await requireEngine(config.shell)
    const server = {
      http,
      hostname,
      allowedHosts: allowHost,
      allowedOrigins: allowOrigin,
      maxSessions,
      idleTimeout,
      changeTools: changeToolsOf(options),
    }
    const hostOptions = { isolation: isolationOf(config, options, 'process'), network }
    return await runMcp(
      { ...server, sandbox, hostOptions },
      // A log that cannot be written is no reason to stop serving.
      { log: (line) => stderr.write(`${PROGRAM}: ${line}\n`).catch(() => undefined), signal: stopOnSignal() },
    )
  } catch (error) {
    throw ofServer(error) ?? inTermsOfOptions(error, options)
  }
}

function changeToolsOf({ changes = false, applyChanges = false }: McpOptions): ChangeToolId[] {
  return [...(changes ? ['changes' as const] : []), ...(applyChanges ? ['apply_changes' as const] : [])]
}

const optionNames: Readonly<Record<string, string>> = {
  token: 'STRANDS_SHELL_MCP_TOKEN',
  hostname: '--hostname',
  allowedHosts: '--allow-host',
  allowedOrigins: '--allow-origin',
  idleTimeout: '--idle-timeout',
}

/** What the server has against its surroundings, in terms of the command line; undefined for anything else. */
function ofServer(error: unknown): CliError | undefined {
  if (error instanceof SandboxConfigError && Object.hasOwn(optionNames, error.field)) {
    const message = error.message.replace(error.field, optionNames[error.field] ?? error.field)
    return new CliError(message, exitCodeOf(error), { cause: error })
  }
  if (!(isError(error) && 'code' in error)) return undefined
  if (error.code === 'ERR_MODULE_NOT_FOUND')
    return new CliError(error.message, EXIT.runtime, { cause: error })
  if (!('syscall' in error)) return undefined
  return new CliError(`the server cannot listen: ${error.message}.`, EXIT.runtime, { cause: error })
}
