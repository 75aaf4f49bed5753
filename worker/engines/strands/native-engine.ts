import type { EngineSource } from '../../../src/contract/lease.ts'
import type { StrandsRecord } from '../../../src/contract/shell-record.ts'
import { errorMessage } from '../../service/error-message.ts'
import { FarError } from '../../service/far-error.ts'
import { loadFile } from '../../service/load-file.ts'
import { systemCode } from '../../service/system-code.ts'
import type { NativeShell } from './native-shell.ts'

/** The native engine as it was loaded: it builds shells. */
export interface NativeEngine {
  build(record: StrandsRecord): Promise<NativeShell>
}

interface ShellBuilder {
  bind(source: string, destination: string): unknown
  bindReadonly(source: string, destination: string): unknown
  bindDirect(source: string, destination: string): unknown
  bindDirectReadonly(source: string, destination: string): unknown
  credential(url: string, token: string): unknown
  allowUrl(prefix: string): unknown
  env(name: string, value: string): unknown
  umask(mask: number): unknown
  timeout(seconds: number): unknown
  maxDepth(n: number): unknown
  maxOutput(n: number): unknown
  maxFds(n: number): unknown
  maxBgJobs(n: number): unknown
  maxPipeline(n: number): unknown
  maxInput(n: number): unknown
  maxFileSize(n: number): unknown
  maxInodes(n: number): unknown
  configFile(path: string): unknown
  build(): Promise<NativeShell>
}

interface Addon {
  readonly ShellBuilder: new () => ShellBuilder
}

interface Wrapper {
  readonly Shell: { create(config: unknown): Promise<NativeShell> }
}

/** Loads the engine the host has found; its modules are cached by Node, so that a thread pays once. */
export async function loadNative(source: EngineSource): Promise<NativeEngine> {
  try {
    if (source.kind === 'addon') return addonEngine(loadFile(source.path) as Addon)
    return wrapperEngine((await import(source.path)) as Wrapper)
  } catch (error) {
    const reason = errorMessage(error)
    const isForbidden = systemCode(error) === 'ERR_DLOPEN_DISABLED'
    const remedy = isForbidden
      ? "Start Node with `--allow-addons`; in Node 20, isolation: 'process' does without."
      : "Run 'npx strands-shell-runtime doctor' for more."
    throw new FarError({
      code: 'ENGINE_UNAVAILABLE',
      message: `The engine at ${source.path} could not be loaded: ${reason} ${remedy}`,
    })
  }
}

function addonEngine({ ShellBuilder }: Addon): NativeEngine {
  return {
    build: async (record) => {
      const builder = new ShellBuilder()
      if (record.configFile !== undefined) builder.configFile(record.configFile)
      for (const { source, destination, mode, readonly } of record.binds) {
        if (mode === 'copy') builder[readonly ? 'bindReadonly' : 'bind'](source, destination)
        else builder[readonly ? 'bindDirectReadonly' : 'bindDirect'](source, destination)
      }
      for (const { url, token } of record.credentials) builder.credential(url, token)
      for (const url of record.allowedUrls) builder.allowUrl(url)
      for (const [name, value] of record.env) builder.env(name, value)
      if (record.umask !== undefined) builder.umask(record.umask)
      if (record.timeout !== undefined) builder.timeout(record.timeout)
      for (const [name, value] of Object.entries(record.limits)) {
        builder[name as keyof typeof record.limits](value)
      }
      return builder.build()
    },
  }
}

function wrapperEngine({ Shell }: Wrapper): NativeEngine {
  return {
    build: ({ binds, credentials, allowedUrls, env, limits, umask, timeout, configFile }) =>
      Shell.create({
        credentials,
        allowedUrls,
        limits,
        ...(umask === undefined ? {} : { umask }),
        ...(timeout === undefined ? {} : { timeout }),
        ...(configFile === undefined ? {} : { configFile }),
        env: Object.fromEntries(env),
        binds: binds.map(({ source, destination, mode, readonly }) => ({
          source,
          destination,
          mode: mode === 'copy' ? 'copy' : 'direct',
          readonly,
        })),
      }),
  }
}
