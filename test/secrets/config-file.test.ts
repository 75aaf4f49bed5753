import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Backend, backends } from '../strands-shell/support/backend.ts'
import { failureOf } from '../strands-shell/support/failure.ts'
import { hostDirectory } from '../strands-shell/support/host-tree.ts'
import { temporaryDirectory } from '../strands-shell/support/temporary.ts'
import { CANARY, everythingSaidBy, tracesIn } from './support/canary.ts'

/** The lines of a credential, those of its keys that are given instead. */
function credential(keys: Readonly<Record<string, string>> = {}): string {
  const all = { url: '"https://api.example/"', kind: '"bearer"', api_key: `"${CANARY}"`, ...keys }
  const lines = Object.entries(all).map(([key, value]) => (value === '' ? key : `${key} = ${value}`))
  return ['[[cred]]', ...lines, ''].join('\n')
}

/** What is wrong with a file, and what its refusal says of that. */
const refused: readonly (readonly [fault: string, file: string, says: RegExp])[] = [
  ['a quote that is missing', `[[cred]]\napi_key = "${CANARY}\n`, /line 2, column \d+: invalid basic string/],
  ['words behind a token', credential({ api_key: `"${CANARY}" x` }), /line 4, column \d+: unexpected key/],
  [
    'a token as a list',
    credential({ api_key: `["${CANARY}"]` }),
    /line 4, .*: invalid type, expected a string/,
  ],
  ['a token as a table', credential({ api_key: `{ "${CANARY}" = 1 }` }), /line 4, /],
  ['a token where the kind belongs', credential({ kind: `"${CANARY}"` }), /expected `bearer` or `query`\./],
  [
    'a token that names its own excuse',
    credential({ kind: `"x, expected \`${CANARY}"` }),
    /: unknown variant, expected `bearer` or `query`\./,
  ],
  ['a token over two lines', credential({ kind: `"""${CANARY}\n${CANARY}"""` }), /line 3, /],
  ['a key that is misspelt', credential({ api_kee: `"${CANARY}"` }), /unknown field, expected one of `url`/],
  ['a token on the wrong side', credential({ [`"${CANARY}"`]: '1' }), /unknown field, expected one of `url`/],
  ['a token twice', credential({ ' api_key': `"${CANARY}"` }), /line 5, column \d+: duplicate key\./],
  [
    'a fault beside a token',
    `cred = [{ url = 5, api_key = "${CANARY}" }]`,
    /line 1, column \d+: invalid type/,
  ],
  ['a kind that is missing', credential().replace('kind = "bearer"\n', ''), /missing field `kind`\./],
  ['a token where the time belongs', `[limits]\ntimeout = "${CANARY}"`, /line 2, .*: invalid type/],
  ['a token as a table’s name', `[${CANARY}]\n`, /line 1, /],
  [
    'a token where a variable belongs that is not set',
    `[[cred]]\nurl = "https://api.example/"\nkind = "bearer"\napi_key_env = "${CANARY}"\n`,
    /environment variable \[hidden\] not set/,
  ],
  ['a path of a host', credential({ url: '"https://api.example/v1"' }), /does not name a whole host/],
  ['a token where the address belongs', credential({ url: `"${CANARY}"` }), /does not name a whole host/],
  [
    'a kind that commands see',
    credential({ kind: '"query"', param: '"key"' }),
    /is not of kind "bearer": the engine shows its token to commands/,
  ],
]

describe.each(backends)('an engine config file with a token ($name)', configFiles)

async function fileOf(text: string): Promise<string> {
  const file = join(await temporaryDirectory(), 'shell.toml')
  await writeFile(file, text)
  return file
}

function configFiles(backend: Backend): void {
  it('is accepted where it is valid', async () => {
    const sandbox = await backend.open({ configFile: await fileOf(credential()) })
    const description = await sandbox.describe()
    expect(description.credentials).toEqual([{ url: 'https://api.example/', kind: 'bearer' }])
    expect(tracesIn(everythingSaidBy(description))).toEqual([])
  })

  it('is rejected where it is invalid, and the error shows no token', async () => {
    // One after the other, in one worker.
    for (const [fault, file, says] of refused) {
      const configFile = await fileOf(file)
      const error = await failureOf(backend.create({ configFile }).open())
      expect({ fault, code: error.code, traces: tracesIn(everythingSaidBy(error)) }).toEqual({
        fault,
        code: 'INVALID_CONFIG',
        traces: [],
      })
      expect(error.message, fault).toMatch(says)
    }
  })
}

// The worker rewrites the file; a cell that is killed meanwhile cleans nothing up.
it('is in no temporary file at any moment, as the worker opens', async () => {
  const source = await hostDirectory(
    Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, 'x'])),
  )
  const bind = `[[bind]]\nsource = "${source}"\ndestination = "/work"\nmode = "direct"\n`
  const [backend] = backends
  const seen = new Set<string>()
  for (let looks = 0; looks < 20; ) {
    const sandbox = backend?.create({ configFile: await fileOf(credential() + bind) })
    let done = false
    const opening = sandbox?.open().finally(() => {
      done = true
    })
    while (!done) {
      looks++
      for (const file of temporaryFiles()) if (tracesIn(textOf(file)).length > 0) seen.add(file)
      await new Promise(setImmediate)
    }
    await opening
    expect(await sandbox?.execute('ls /work | wc -l')).toMatchObject({
      stdout: expect.stringMatching(/^ *300\n$/),
    })
    await sandbox?.close()
  }
  expect([...seen]).toEqual([])
})

/** Files of this package. A worker has no environment, so that its temporary files are in the system's own place. */
function temporaryFiles(): string[] {
  const homes = readdirSync('/tmp').filter((name) => name.startsWith('strands-shell-config-'))
  return homes.map((name) => join('/tmp', name, 'config.toml'))
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return '' // It has gone.
  }
}
