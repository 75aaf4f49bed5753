import { resolve } from 'node:path'
import type { ServeOptions, TokenGrant } from '../service/options.ts'
import type { Service } from '../service/serve.ts'
import type { SandboxConfig } from '../shell-host/sandbox-config.ts'
import { PROGRAM, usageError } from './failure.ts'
import { requireEngine } from './options/require-engine.ts'
import { asSandboxConfig, configOf, inTermsOfOptions } from './options/sandbox-config.ts'
import type { SandboxOptions } from './options/sandbox-options.ts'
import { stateFile } from './options/state-file.ts'
import type { Outputs } from './output.ts'
import { ownToken, tokensOf } from './serve/tokens.ts'
import { serverFailure } from './server-failure.ts'
import { stopOnSignal } from './signals.ts'

/** The options of `serve`, as commander hands them over. */
export interface ServeCommandOptions extends SandboxOptions {
  readonly port?: number
  readonly hostname?: string
  readonly token?: string
  /** The path of a file of tokens. */
  readonly tokens?: string
  readonly data?: string
  /** Names and config files. */
  readonly template?: readonly TemplateOption[]
  readonly allowHost?: readonly string[]
  readonly allowOrigin?: readonly string[]
  /** Whether `/` has the page. */
  readonly page?: boolean
  /** Seconds. */
  readonly grace?: number
  /** The address of Redis. */
  readonly cluster?: string
  readonly clusterName?: string
  readonly advertise?: string
  readonly nodeLabel?: readonly (readonly [name: string, value: string])[]
}

/** A template, and the file with its config. */
export interface TemplateOption {
  readonly name: string
  readonly file: string
}

/** The variable that has the token where no option does: a command line is for all processes to see. */
const tokenVariable = 'STRANDS_SHELL_SERVE_TOKEN'
const defaultPort = 7300

/** Serves until a signal comes; gives the exit code. */
export async function serve(options: ServeCommandOptions, outputs: Outputs): Promise<number> {
  const { hostname, allowHost, allowOrigin, grace, page, port = defaultPort } = options
  const data = options.data === undefined ? stateFile('serve') : resolve(options.data)
  // A log that cannot be written is no reason to stop serving.
  const log = (line: string) => void outputs.stderr.write(`${PROGRAM}: ${line}\n`).catch(() => undefined)
  try {
    const { tokens, isOwn } = await tokensFor(options, data)
    const service = await start(options, {
      tokens,
      templates: await templatesOf(options),
      data,
      port,
      hostname,
      allowedHosts: allowHost,
      allowedOrigins: allowOrigin,
      page,
      log,
    })
    await outputs.stdout.write(`Serving at ${service.url}\n`)
    const link = isOwn && page !== false ? pageLink(service.url, tokens) : undefined
    if (link !== undefined) await outputs.stdout.write(`The page: ${link}\n`)
    if (isOwn) await outputs.stdout.write(`The token is in ${JSON.stringify(ownToken(data))}.\n`)
    await aborted(stopOnSignal())
    log('A signal came: calls under way may end.')
    await service.close({ grace })
    return 0
  } catch (error) {
    throw serverFailure(error, 'service', optionNames) ?? inTermsOfOptions(error, options)
  }
}

/** Starts the service, as a node where the options name a cluster. */
async function start(
  { cluster, clusterName, advertise, nodeLabel = [], grace }: ServeCommandOptions,
  options: ServeOptions,
): Promise<Service> {
  if (cluster === undefined) {
    for (const [option, value] of [
      ['--cluster-name', clusterName],
      ['--advertise', advertise],
      ['--node-label', nodeLabel[0]],
    ])
      if (value !== undefined) throw usageError(`${option} is for a node: name its --cluster, too.`)
    const { serve: startService } = await import('../service/serve.ts')
    return startService(options)
  }
  const { clusterNode } = await import('../cluster/node.ts')
  return clusterNode({
    ...options,
    redis: cluster,
    cluster: clusterName,
    advertise,
    nodeLabels: Object.fromEntries(nodeLabel),
    grace,
  })
}

/** The tokens that let clients in: those of the options, or else one that is made now and kept beside the data. */
async function tokensFor({ token, tokens: file }: ServeCommandOptions, data: string) {
  const given = token ?? (process.env[tokenVariable] || undefined)
  if (given !== undefined && file !== undefined)
    throw usageError(`--tokens has the tokens of all: leave --token and ${tokenVariable} out.`)
  return tokensOf({ token: given, file, data })
}

async function templatesOf(options: ServeCommandOptions): Promise<Readonly<Record<string, SandboxConfig>>> {
  const config = await configOf(options, 'bash')
  await requireEngine(config.shell)
  const templates: Record<string, SandboxConfig> = { default: asSandboxConfig(config) }
  for (const { name, file } of options.template ?? []) {
    const named = await configOf({ config: file }, 'bash')
    await requireEngine(named.shell)
    templates[name] = asSandboxConfig(named)
  }
  return templates
}

/** The address of the page with the token, for a person who reads it: elsewhere it would stand in a log. */
function pageLink(url: string, [first]: readonly TokenGrant[]): string | undefined {
  return process.stdout.isTTY === true && first !== undefined ? `${url}/#token=${first.token}` : undefined
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
}

const optionNames: Readonly<Record<string, string>> = {
  hostname: '--hostname',
  allowedHosts: '--allow-host',
  allowedOrigins: '--allow-origin',
  tokens: '--tokens',
  token: '--token',
  redis: '--cluster',
  cluster: '--cluster-name',
  advertise: '--advertise',
  nodeLabels: '--node-label',
  data: '--data',
}
