import fc from 'fast-check'
import { oddData, oddNumber, oddText } from './junk.ts'

/** Far messages: what crosses a thread boundary, so without functions and traps. */
const wrong: fc.Arbitrary<unknown> = fc.oneof(
  oddData.filter((value) => !hasSymbol(value)),
  fc.constant(new Array(2 ** 32 - 1)),
)

function hasSymbol(value: unknown): boolean {
  return typeof value === 'symbol'
}

/** Right most of the time; else anything that crosses. */
function often(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

const text = often(oddText)
const number = often(fc.oneof(fc.nat(255), oddNumber))
const texts = often(fc.array(text, { maxLength: 3 }))
const output = often(fc.record({ exitCode: number, stdout: text, stderr: text }))
const conflicts = often(
  fc.array(
    often(fc.record({ path: text, hostPath: text, kept: often(fc.option(oddText, { nil: undefined })) })),
    {
      maxLength: 2,
    },
  ),
)
const lossCodes = [
  'WORKER_EXITED',
  'HEAP_EXHAUSTED',
  'CELL_MEMORY',
  'PROTOCOL',
  'RESET',
  '__proto__',
  'toString',
]

/** A loss, or nearly. */
export const loss = often(
  fc.record(
    { code: often(fc.constantFrom(...lossCodes)), message: text, output: text },
    { requiredKeys: ['code', 'message'] },
  ),
)

const errorCodes = [
  'PATH_NOT_FOUND',
  'PERMISSION_DENIED',
  'LIMIT_EXCEEDED',
  'IO_ERROR',
  'INVALID_CONFIG',
  'WORKER_LOST',
  'UNSUPPORTED',
  'ENGINE_UNAVAILABLE',
  'CLOSED',
  'constructor',
]

/** An error as data, or nearly. */
export const errorData = often(
  fc.record(
    {
      code: often(fc.constantFrom(...errorCodes)),
      message: text,
      path: text,
      field: text,
      limit: often(fc.record({ name: text, value: number })),
      loss,
      detail: text,
      mirror: often(
        fc.record(
          {
            written: texts,
            pending: often(fc.array(often(fc.record({ path: text, reason: text })), { maxLength: 2 })),
            output,
          },
          { requiredKeys: ['written', 'pending'] },
        ),
      ),
    },
    { requiredKeys: ['code', 'message'] },
  ),
)

const value = fc.oneof(
  output,
  often(fc.uint8Array()),
  text,
  often(fc.constant(null)),
  often(
    fc.array(often(fc.record({ name: text, isDir: often(fc.boolean()), size: number })), { maxLength: 3 }),
  ),
  often(
    fc.record({
      mark: text,
      changes: often(
        fc.array(
          often(
            fc.record({
              bind: text,
              path: text,
              kind: often(fc.constantFrom('file', 'link', 'toString')),
              change: often(fc.constantFrom('added', 'removed')),
            }),
          ),
        ),
      ),
    }),
  ),
  often(fc.record({ written: texts, removed: texts, conflicts })),
  often(
    fc.record({
      binds: often(
        fc.array(
          often(fc.record({ source: text, destination: text, mode: text, readonly: often(fc.boolean()) })),
        ),
      ),
      credentials: often(fc.array(often(fc.record({ url: text, kind: text })))),
      allowedUrls: texts,
      env: often(fc.dictionary(oddText, text)),
      umask: number,
      timeout: number,
      limits: often(fc.dictionary(oddText, number)),
      skipped: often(fc.array(often(fc.record({ bind: text, path: text, reason: text })))),
    }),
  ),
)

/** A reply to a call, or nearly. */
export const reply = often(
  fc.oneof(
    fc.record({ ok: often(fc.constant(true)), value, conflicts }, { requiredKeys: ['ok', 'value'] }),
    fc.record(
      { ok: often(fc.constant(false)), error: errorData, conflicts },
      { requiredKeys: ['ok', 'error'] },
    ),
  ),
)

/** News of a cell, or nearly. */
export const news = often(
  fc.record(
    {
      kind: often(
        fc.constantFrom('ready', 'opened', 'refused', 'lost', 'ended', 'pong', 'toString', '__proto__'),
      ),
      lane: fc.oneof({ weight: 6, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: number }),
      timeout: number,
      allowance: number,
      capabilities: often(
        fc.record({
          terminable: often(fc.boolean()),
          sync: often(fc.boolean()),
          streaming: often(fc.boolean()),
          changes: often(fc.boolean()),
          stdin: often(fc.boolean()),
          checkpoint: often(fc.boolean()),
        }),
      ),
      error: errorData,
      loss,
      ping: number,
      workers: number,
      idle: number,
      rss: number,
    },
    { requiredKeys: ['kind', 'lane'] },
  ),
)

/** A message on the port of a lease; `$id` stands for the call's id. */
export const message = often(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ id: often(fc.constant('$id')), type: often(fc.constant('RAW')), value: reply }),
    },
    fc.record({
      id: often(fc.constant('$id')),
      type: often(fc.constant('HANDLER')),
      name: often(fc.constantFrom('throw', 'proxy', '__proto__')),
      value: often(fc.record({ isError: fc.boolean(), value: wrong })),
    }),
    fc.record({ signal: often(fc.record({ kind: often(fc.constant('lost')), loss })) }),
    fc.constantFrom(50, 3000).map((depth) => ({ id: '$id', type: 'RAW', value: nested(depth) })),
  ),
)

function nested(depth: number): unknown {
  let held: unknown = { ok: true, value: null }
  for (let level = 0; level < depth; level++) held = { ok: true, value: held }
  return held
}
