import * as v from 'valibot'
import { binds } from '../../config/bind-schema.ts'
import { isToken, type ResolvedCredential, TOKEN_RULE } from '../../config/credentials.ts'
import { fields, integer, list, number, oneOf, plainObject, type Rule, text } from '../../config/rules.ts'
import { Secret } from '../../config/secret.ts'
import { isUrlPrefix, isWholeHost, normalizeUrlPrefix } from '../../config/url-prefix.ts'
import { ISOLATION_LEVELS } from '../../contract/isolation.ts'
import { MAX_TIMEOUT } from '../../sandbox/arguments.ts'
import { ENV_KEY_PATTERN, findEnvFault } from '../../sandbox/env.ts'
import { LIMIT_NAMES, MAX_LIMIT, MAX_UMASK, MIN_SESSION_TIMEOUT, MIRROR_DEFAULTS } from './defaults.ts'

const urlRule: Rule = {
  expected: 'an http or https address prefix with a host',
  remedy:
    'Write it like "https://api.example.com/": no user name, no password, no spaces, no wildcard in the host.',
  secret: true,
}

const urlPrefix = v.pipe(text(urlRule, isUrlPrefix), v.transform(normalizeUrlPrefix))

const credentialUrl = v.pipe(
  urlPrefix,
  v.check(
    isWholeHost,
    'must name a whole host and nothing below it, like "https://api.example.com/": a token for "/v1" would also go to "/v1/../other", since the engine compares text.',
  ),
)

const credential = v.pipe(
  fields(
    {
      url: credentialUrl,
      token: v.optional(text(TOKEN_RULE, isToken)),
      envVar: v.optional(
        text(
          {
            expected: 'the name of an environment variable',
            remedy: 'Name the variable that holds the token; the token itself goes into token.',
            secret: true,
          },
          (name) => ENV_KEY_PATTERN.test(name),
        ),
      ),
    },
    'a plain object like { url, token }',
  ),
  v.rawTransform(({ dataset, addIssue, NEVER }): ResolvedCredential => {
    const { url, token, envVar } = dataset.value
    if (token !== undefined && envVar === undefined) return { url, token: new Secret(token) }
    if (envVar !== undefined && token === undefined) return { url, envVar }
    const has = token === undefined ? 'neither' : 'both'
    addIssue({ message: `must have exactly one of token and envVar, but has ${has}.` })
    return NEVER
  }),
)

const env = v.pipe(
  plainObject('a plain object of variable names and strings'),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const entries = Object.entries(dataset.value)
    const pairs: (readonly [name: string, value: string])[] = []
    for (const [key, value] of entries) {
      const fault = findEnvFault(key, value)
      if (fault === undefined && typeof value === 'string') pairs.push([key, value])
      else {
        addIssue({
          message: fault,
          path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }],
        })
      }
    }
    return pairs.length === entries.length ? pairs : NEVER
  }),
)

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

const timeout = number(
  {
    expected: `a number of seconds from ${MIN_SESSION_TIMEOUT} to ${MAX_TIMEOUT} (a day)`,
    remedy: 'Leave it out for the default of 30 seconds.',
  },
  (seconds) => seconds >= MIN_SESSION_TIMEOUT && seconds <= MAX_TIMEOUT,
)

/** The schema of a sandbox config, read from a snapshot. */
export const configSchema = fields(
  {
    binds: v.optional(binds),
    credentials: v.optional(list(credential, 'an array of credentials')),
    allowedUrls: v.optional(list(urlPrefix, 'an array of address prefixes')),
    env: v.optional(env),
    umask: v.optional(
      integer(
        { expected: 'an integer from 0 to 0o777', remedy: 'Write it in octal, like 0o022.' },
        0,
        MAX_UMASK,
      ),
    ),
    timeout: v.optional(timeout),
    limits: v.optional(limits),
    configFile: v.optional(text({ expected: 'the path of a TOML file' }, (path) => path !== '')),
    isolation: v.optional(oneOf(ISOLATION_LEVELS)),
    onInterrupt: v.optional(oneOf(['keep', 'reset'])),
    onLost: v.optional(oneOf(['reopen', 'fail'])),
    maxPending: v.optional(integer({ expected: 'a positive integer' }, 1, Number.MAX_SAFE_INTEGER)),
  },
  'a plain object',
)
