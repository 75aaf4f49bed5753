import * as v from 'valibot'
import { bashBinds } from '../../config/bind-schema.ts'
import { credential, urlPrefix } from '../../config/credential-schema.ts'
import { env } from '../../config/env-schema.ts'
import { fields, integer, list, namesOf, oneOf, say } from '../../config/rules.ts'
import { runtimeEntries } from '../../config/runtime-schema.ts'
import { startEntries } from '../../config/start-schema.ts'

const mebibyte = 2 ** 20

const size = (least: number) =>
  v.optional(
    integer(
      {
        expected: `an integer of at least ${least} bytes`,
        remedy: 'A limit cannot be switched off: leave it out for its default.',
      },
      least,
      Number.MAX_SAFE_INTEGER,
    ),
  )

const limits = fields(
  {
    maxOutput: size(1),
    maxFileSize: size(1),
    maxFileSystem: size(mebibyte),
    maxMemory: size(64 * mebibyte),
  },
  'a plain object of limits',
)

/** The schema of a bash config without its files, read from a snapshot. */
export const bashConfigSchema = fields(
  {
    shell: v.optional(oneOf(['bash'])),
    ...startEntries,
    binds: v.optional(bashBinds),
    python: v.optional(v.boolean(say({ expected: 'true or false' }))),
    env: v.optional(env),
    credentials: v.optional(list(credential, 'an array of credentials')),
    allowedUrls: v.optional(list(urlPrefix, 'an array of address prefixes')),
    limits: v.optional(limits),
    ...runtimeEntries,
  },
  'a plain object',
)

/** The names of the fields of a bash config, and of its limits. */
export const bashNames = {
  fields: [...namesOf(bashConfigSchema), 'files', 'policy'],
  limits: namesOf(limits),
}
