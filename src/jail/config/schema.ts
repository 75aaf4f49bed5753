import * as v from 'valibot'
import { jailBinds } from '../../config/bind-schema.ts'
import { credential, urlPrefix } from '../../config/credential-schema.ts'
import { env } from '../../config/env-schema.ts'
import { fields, integer, list, namesOf, oneOf, text } from '../../config/rules.ts'
import { runtimeEntries } from '../../config/runtime-schema.ts'
import { startEntries } from '../../config/start-schema.ts'

const mebibyte = 2 ** 20

const count = (least: number, unit: string) =>
  v.optional(
    integer(
      {
        expected: `an integer of at least ${least} ${unit}`,
        remedy: 'A limit cannot be switched off: leave it out for its default.',
      },
      least,
      Number.MAX_SAFE_INTEGER,
    ),
  )

const limits = fields(
  {
    maxOutput: count(1, 'bytes'),
    maxFileSize: count(1, 'bytes'),
    maxProcesses: count(16, 'processes'),
    maxMemory: count(32 * mebibyte, 'bytes'),
    maxOpenFiles: count(64, 'files'),
  },
  'a plain object of limits',
)

/** What is sent with TLS the host cannot read, and add nothing to. */
const plainCredential = v.pipe(
  credential,
  v.forward(
    v.check(
      ({ url }) => url.startsWith('http:'),
      'must begin with http: for a jail, whose host does not open TLS. Give the token to the programs in the jail, by env or a file.',
    ),
    ['url'],
  ),
)

const { checkpoint: _checkpoint, ...runtime } = runtimeEntries

/** The schema of a jail's config without its files, read from a snapshot. */
export const jailConfigSchema = fields(
  {
    shell: v.optional(oneOf(['jail'])),
    ...startEntries,
    binds: v.optional(jailBinds),
    interpreter: v.optional(oneOf(['bash', 'sh'])),
    root: v.optional(
      text({ expected: "'host' or the path of a host directory", remedy: 'Begin a path with "/".' }, isRoot),
    ),
    tmpfs: count(mebibyte, 'bytes'),
    env: v.optional(env),
    credentials: v.optional(list(plainCredential, 'an array of credentials')),
    allowedUrls: v.optional(list(urlPrefix, 'an array of address prefixes')),
    limits: v.optional(limits),
    ...runtime,
    isolation: v.optional(
      v.picklist(
        ['shared', 'worker'],
        "must be 'shared' or 'worker': a jail is a process of its own at every level.",
      ),
    ),
    onInterrupt: v.optional(
      v.picklist(['keep', 'reset'], "must be 'keep' or 'reset': there are no checkpoints of a jail."),
    ),
    onLost: v.optional(
      v.picklist(['reopen', 'fail'], "must be 'reopen' or 'fail': there are no checkpoints of a jail."),
    ),
  },
  'a plain object',
)

/** The names of the fields of a jail's config, and of its limits. */
export const jailNames = {
  fields: [...namesOf(jailConfigSchema), 'files', 'policy'],
  limits: namesOf(limits),
}

function isRoot(path: string): boolean {
  return path === 'host' || path.startsWith('/')
}
