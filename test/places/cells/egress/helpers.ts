import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { SandboxEventMap, ShellHost, ShellHostOptions } from '../../../../src/index.ts'
import { EgressPass } from '../../../../src/network/pass.ts'
import { makeHost } from '../../../faults/helpers.ts'
import { temporaryDirectory } from '../../../strands-shell/support/temporary.ts'

/** A host of cells, and what its proxy has told. */
export interface WatchedHost {
  readonly host: ShellHost
  readonly decisions: readonly SandboxEventMap['egress'][]
  readonly ends: readonly SandboxEventMap['egressEnd'][]
}

/** A host of cells that the test's end closes. */
export function cellHost(options: ShellHostOptions = {}): WatchedHost {
  const host = makeHost({ isolation: 'process', ...options })
  const decisions: SandboxEventMap['egress'][] = []
  const ends: SandboxEventMap['egressEnd'][] = []
  host.on('egress', (decision) => decisions.push(decision))
  host.on('egressEnd', (end) => ends.push(end))
  return { host, decisions, ends }
}

/**
 * An engine config file that allows these addresses. The host does not read it, so that the engine lets requests out
 * which the proxy alone can refuse. A test has one file of a content: a cell shows the files of the host that it was started with.
 */
export function engineAllows(...urls: string[]): Promise<string> {
  const content = `allowed_urls = ${JSON.stringify(urls)}\n`
  const known = configFiles.get(content)
  if (known !== undefined) return known
  const written = temporaryDirectory().then((directory) => {
    const file = join(directory, 'shell.toml')
    writeFileSync(file, content)
    return file
  })
  configFiles.set(content, written)
  onTestFinished(() => {
    configFiles.delete(content)
  })
  return written
}

const configFiles = new Map<string, Promise<string>>()

/** What an agent reads where the proxy refuses plain HTTP. */
export function refusal(reason: 'NOT_ALLOWED' | 'NETWORK_NONE' | 'PRIVATE_ADDRESS' | 'UNAUTHORIZED'): string {
  const sentences = {
    NOT_ALLOWED: 'The allowlist of this sandbox does not name this address.',
    NETWORK_NONE: 'This sandbox has no network.',
    PRIVATE_ADDRESS: 'This host has no public address.',
    UNAUTHORIZED: 'The proxy wants the credentials it was given out with.',
  }
  return `egress refused: ${sentences[reason]} (${reason})\n`
}

/** The addresses, with their tokens, that cells are given of their proxy during the test. */
export function watchProxyUrls(): readonly string[] {
  const urls: string[] = []
  const { get } = Object.getOwnPropertyDescriptor(EgressPass.prototype, 'url') ?? {}
  const spy = vi.spyOn(EgressPass.prototype, 'url', 'get').mockImplementation(function (this: EgressPass) {
    const url: string = get?.call(this)
    urls.push(url)
    return url
  })
  onTestFinished(() => spy.mockRestore())
  return urls
}

/** Sets variables of this process until the test's end. */
export function setVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}
