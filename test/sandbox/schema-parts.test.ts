import { describe, expect, test } from 'vitest'
import { isCellNews, isCellOrder } from '../../src/places/cells/message-schemas.ts'
import { isLeaseReply } from '../../src/places/threads/lease-reply-schema.ts'
import { isErrorData, isLossData } from '../../src/sandbox/error-schema.ts'
import { isCommandOutput } from '../../src/sandbox/output-schema.ts'
import { isCallerSignal } from '../../src/session/caller-signal-schema.ts'
import { isApplyReport, isChangeReport } from '../../src/session/change-schemas.ts'
import { isStrandsDescription } from '../../src/session/description-schema.ts'
import { isLostSignal } from '../../src/session/lost-signal-schema.ts'
import { isOutcome } from '../../src/session/outcome-schema.ts'
import { isEntries, isOutputs } from '../../src/session/value-schemas.ts'

const predicates = {
  isCallerSignal,
  isCellNews,
  isCellOrder,
  isLeaseReply,
  isErrorData,
  isLossData,
  isCommandOutput,
  isApplyReport,
  isChangeReport,
  isStrandsDescription,
  isLostSignal,
  isOutcome,
  isEntries,
  isOutputs: (value: unknown) => isOutputs(value, 1),
}

/** Costly to write into a message: the string does not fit, and the bigint takes minutes. */
const giants = {
  'a string of the greatest length': 'x'.repeat(2 ** 29 - 24),
  'a bigint of 16 MiB': 1n << BigInt(2 ** 27),
  'an array of holes': new Array(2 ** 32 - 1),
}

describe.each(Object.entries(giants))('%s', (_, giant) => {
  test.each(Object.entries(predicates))('%s refuses it, and objects that hold it', (_name, isOfShape) => {
    const holders = ['ok', 'kind', 'code', 'exitCode', 'signal', 'env', 'mark', 'written'].map((field) => ({
      [field]: giant,
    }))
    expect([giant, [giant], ...holders].map(isOfShape)).toEqual(Array(holders.length + 2).fill(false))
  })
})

test('errors, values and conflicts that hold one are refused', () => {
  for (const giant of Object.values(giants)) {
    expect(isOutcome({ ok: false, error: { code: giant, message: '' } })).toBe(false)
    expect(isOutcome({ ok: true, value: 1, conflicts: giant })).toBe(false)
    expect(isCommandOutput({ exitCode: giant, stdout: '', stderr: '' })).toBe(false)
    expect(isEntries([{ name: 'a', isDir: giant, size: 1 }])).toBe(false)
    expect(isCellNews({ kind: 'ended', lane: giant })).toBe(false)
  }
})
