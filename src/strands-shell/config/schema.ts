import * as v from 'valibot'
import { binds } from '../../config/bind-schema.ts'
import { credential, urlPrefix } from '../../config/credential-schema.ts'
import { env } from '../../config/env-schema.ts'
import { fields, integer, list, namesOf, oneOf, text } from '../../config/rules.ts'
import { runtimeEntries } from '../../config/runtime-schema.ts'
import { startEntries } from '../../config/start-schema.ts'
import { LIMIT_NAMES, MAX_LIMIT, MIRROR_DEFAULTS } from './defaults.ts'

const engineLimit = v.optional(
  integer(
    {
      expected: `an integer from 1 to ${MAX_LIMIT}`,
      remedy: 'A limit cannot be switched off: leave it out for its default.',
    },
    1,
    MAX_LIMIT,
  ),
)

const mirrorLimit = (name: keyof typeof MIRROR_DEFAULTS) =>
  v.optional(
    integer(
      {
        expected: 'a positive integer',
        remedy: `It cannot be switched off: leave it out for its default of ${MIRROR_DEFAULTS[name]}.`,
      },
      1,
      Number.MAX_SAFE_INTEGER,
    ),
  )

const limits = fields(
  {
    ...v.entriesFromList(LIMIT_NAMES, engineLimit),
    mirrorMaxFiles: mirrorLimit('mirrorMaxFiles'),
    mirrorMaxBytes: mirrorLimit('mirrorMaxBytes'),
  },
  'a plain object of limits',
)

/** The schema of a sandbox config without its files, read from a snapshot. */
export const configSchema = fields(
  {
    shell: v.optional(oneOf(['strands'])),
    ...startEntries,
    binds: v.optional(binds),
    credentials: v.optional(list(credential, 'an array of credentials')),
    allowedUrls: v.optional(list(urlPrefix, 'an array of address prefixes')),
    env: v.optional(env),
    ...runtimeEntries,
    limits: v.optional(limits),
    configFile: v.optional(text({ expected: 'the path of a TOML file' }, (path) => path !== '')),
  },
  'a plain object',
)

/** The names of the fields of a Strands Shell config, and of its limits. */
export const strandsNames = { fields: [...namesOf(configSchema), 'files', 'policy'], limits: namesOf(limits) }
