import * as v from 'valibot'
import { ENV_KEY_PATTERN } from '../sandbox/env.ts'
import { isToken, type ResolvedCredential, TOKEN_RULE } from './credentials.ts'
import { fields, type Rule, text } from './rules.ts'
import { Secret } from './secret.ts'
import { isUrlPrefix, isWholeHost, normalizeUrlPrefix } from './url-prefix.ts'

const urlRule: Rule = {
  expected: 'an http or https address prefix with a host',
  remedy:
    'Write it like "https://api.example.com/": no user name, no password, no spaces, no wildcard in the host.',
  secret: true,
}

/** The schema of an address prefix. */
export const urlPrefix = v.pipe(text(urlRule, isUrlPrefix), v.transform(normalizeUrlPrefix))

const credentialUrl = v.pipe(
  urlPrefix,
  v.check(
    isWholeHost,
    'must name a whole host and nothing below it, like "https://api.example.com/": a token for "/v1" would also go to "/v1/../other", since the engine compares text.',
  ),
)

/** The schema of a credential. */
export const credential = v.pipe(
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
