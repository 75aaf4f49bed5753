import type {
  BashDescription,
  JailDescription,
  ShellDescription,
  StrandsDescription,
  StrandsLimits,
} from '../contract/shell-api.ts'
import type { BashLimitsRecord, JailLimitsRecord } from '../contract/shell-record.ts'
import {
  flag,
  listOf,
  matches,
  number,
  objectOf,
  oneOf,
  orAbsent,
  recordOf,
  type SchemaOf,
  text,
} from '../sandbox/schema-parts.ts'

const mode = oneOf<ShellDescription['binds'][number]['mode']>({
  direct: true,
  copy: true,
  passthrough: true,
  overlay: true,
})

const strandsLimits = objectOf<StrandsLimits>({
  maxOutput: number,
  maxFileSize: number,
  maxFds: number,
  maxBgJobs: number,
  maxPipeline: number,
  maxInput: number,
  maxInodes: number,
  maxDepth: number,
  mirrorMaxFiles: number,
  mirrorMaxBytes: number,
})

const bashLimits = objectOf<BashLimitsRecord>({
  maxOutput: number,
  maxFileSize: number,
  maxFileSystem: number,
  maxMemory: number,
})

const jailLimits = objectOf<JailLimitsRecord>({
  maxOutput: number,
  maxFileSize: number,
  maxProcesses: number,
  maxMemory: number,
  maxOpenFiles: number,
})

function descriptionOf<Limits>(limits: SchemaOf<Limits>): SchemaOf<ShellDescription<Limits>> {
  return objectOf<ShellDescription<Limits>>({
    binds: listOf(
      objectOf<ShellDescription['binds'][number]>({
        source: text,
        destination: text,
        mode,
        readonly: flag,
        exclude: orAbsent(listOf(text)),
      }),
    ),
    credentials: listOf(objectOf<ShellDescription['credentials'][number]>({ url: text, kind: text })),
    allowedUrls: listOf(text),
    env: recordOf(text),
    umask: number,
    timeout: number,
    limits,
    skipped: listOf(objectOf<ShellDescription['skipped'][number]>({ bind: text, path: text, reason: text })),
  })
}

const strandsSchema = descriptionOf(strandsLimits)
const bashSchema = descriptionOf(bashLimits)
const jailSchema = descriptionOf(jailLimits)

/** True for the effective config of Strands Shell. */
export function isStrandsDescription(value: unknown): value is StrandsDescription {
  return matches(strandsSchema, value)
}

/** True for the effective config of bash. */
export function isBashDescription(value: unknown): value is BashDescription {
  return matches(bashSchema, value)
}

/** True for the effective config of a jail. */
export function isJailDescription(value: unknown): value is JailDescription {
  return matches(jailSchema, value)
}
