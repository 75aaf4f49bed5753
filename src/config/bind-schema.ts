import * as v from 'valibot'
import { isClosedDirectory } from '../contract/engine-directories.ts'
import { isDestination, isEngineDirectory, normalizeDestination } from './destination.ts'
import { fields, list, oneOf, say, text } from './rules.ts'

const pattern = text(
  { expected: 'a .gitignore pattern', remedy: 'Give one pattern each, such as "node_modules/".' },
  (line) => line !== '' && !/[\r\n]/.test(line),
)

/** The schema of what is kept out of a host directory. */
export const patterns = list(pattern, 'an array of .gitignore patterns')

const places = {
  source: text({ expected: 'the path of a host directory' }, (path) => path !== ''),
  destination: v.pipe(
    text(
      { expected: 'an absolute path inside the sandbox, without ".."', remedy: 'Begin it with "/".' },
      isDestination,
    ),
    v.transform(normalizeDestination),
  ),
  readonly: v.optional(v.boolean(say({ expected: 'true or false' }))),
}

const bindFields = fields(
  {
    ...places,
    mode: v.optional(oneOf(['direct', 'copy', 'passthrough'])),
    exclude: v.optional(patterns),
  },
  'a plain object like { source, destination }',
)

type Bind = v.InferOutput<typeof bindFields>

const excludeHasMeaning = v.forward(
  v.check<Bind, string>(
    ({ mode = 'direct', readonly = false, exclude = [] }) =>
      exclude.length === 0 || mode === 'copy' || (mode === 'direct' && !readonly),
    "is for writable direct binds and for copies: any other shows the host directory as it is. Leave it out, or bind with mode 'copy'.",
  ),
  ['exclude'],
)

const bind = v.pipe(
  bindFields,
  v.forward(
    v.check(
      ({ destination, mode }) => mode === 'copy' || !isEngineDirectory(destination),
      ({ input: { destination } }) =>
        `must be a new place, but ${destination} is a directory of the engine's own. Bind below it${isClosedDirectory(destination) ? '' : ", or with mode 'copy', which adds to it"}.`,
    ),
    ['destination'],
  ),
  v.forward(
    v.check(
      ({ mode, readonly }) => mode !== 'passthrough' || readonly !== true,
      "must not be 'passthrough' for a read-only bind. Use 'direct', which shows the host directory as it is.",
    ),
    ['mode'],
  ),
  excludeHasMeaning,
)

/** Directories of a bash sandbox that hold its programs and devices. */
const bashDirectories: ReadonlySet<string> = new Set(['/', '/bin', '/dev', '/proc', '/usr', '/usr/bin'])

const bashBind = v.pipe(
  bindFields,
  v.forward(
    v.check(
      ({ mode }) => mode !== 'passthrough',
      "must be 'direct' or 'copy', but is 'passthrough'. A direct bind of a bash sandbox is live: use 'direct'.",
    ),
    ['mode'],
  ),
  v.forward(
    v.check(
      ({ destination }) => !bashDirectories.has(destination),
      ({ input }) =>
        `must be a new place, but ${input.destination} holds programs or devices of the sandbox. Bind below it.`,
    ),
    ['destination'],
  ),
  excludeHasMeaning,
)

/** Directories of a jail that hold its programs, devices and the driver's own files. */
const jailDirectories = [
  '/bin',
  '/dev',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/proc',
  '/run',
  '/sbin',
  '/usr',
]

const jailBind = v.pipe(
  fields(
    { ...places, mode: v.optional(oneOf(['direct', 'overlay'])), exclude: v.optional(patterns) },
    'a plain object like { source, destination }',
  ),
  v.forward(
    v.check(
      ({ mode, readonly }) => mode !== 'overlay' || readonly !== true,
      "must not be true for an overlay, which is there to be written. Leave it out, or bind with mode 'direct'.",
    ),
    ['readonly'],
  ),
  v.forward(
    v.check(
      ({ mode, exclude = [] }) => exclude.length === 0 || mode === 'overlay',
      "is for overlays: a direct bind shows the host directory as it is. Leave it out, or bind with mode 'overlay'.",
    ),
    ['exclude'],
  ),
  v.forward(
    v.check(
      ({ destination }) =>
        destination !== '/' &&
        !jailDirectories.some((path) => destination === path || destination.startsWith(`${path}/`)),
      ({ input }) =>
        `must be a new place, but ${input.destination} holds programs or devices of the jail. Bind to another directory.`,
    ),
    ['destination'],
  ),
)

/** The schema of the binds of a jail's config. */
export const jailBinds = v.pipe(list(jailBind, 'an array of binds'), eachItsOwnPlace())

/** The schema of the binds of a Strands Shell config. */
export const binds = v.pipe(list(bind, 'an array of binds'), eachItsOwnPlace())

/** The schema of the binds of a bash config. */
export const bashBinds = v.pipe(list(bashBind, 'an array of binds'), eachItsOwnPlace())

function eachItsOwnPlace<Each extends { readonly destination: string }>() {
  return v.rawCheck<Each[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const owners = new Map<string, number>()
    for (const [index, value] of dataset.value.entries()) {
      const owner = owners.get(value.destination)
      if (owner === undefined) owners.set(value.destination, index)
      else {
        addIssue({
          message: `repeats that of binds[${owner}]. Give each bind a place of its own.`,
          path: [
            { type: 'array', origin: 'value', input: dataset.value, key: index, value },
            {
              type: 'object',
              origin: 'value',
              input: { ...value },
              key: 'destination',
              value: value.destination,
            },
          ],
        })
      }
    }
  })
}
