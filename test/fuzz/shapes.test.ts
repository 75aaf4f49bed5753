import fc from 'fast-check'
import { expect } from 'vitest'
import { isCellNews } from '../../src/places/cells/message-schemas.ts'
import { isLeaseReply } from '../../src/places/threads/lease-reply-schema.ts'
import { isErrorData, isLossData } from '../../src/sandbox/error-schema.ts'
import { lossError } from '../../src/sandbox/loss-error.ts'
import { isCommandOutput } from '../../src/sandbox/output-schema.ts'
import { rebuildError } from '../../src/sandbox/rebuild-error.ts'
import { isApplyReport, isChangeReport } from '../../src/session/change-schemas.ts'
import { isStrandsDescription } from '../../src/session/description-schema.ts'
import { isOutcome } from '../../src/session/outcome-schema.ts'
import { isEntries } from '../../src/session/value-schemas.ts'
import { expectDocumented } from './support/documented.ts'
import { errorData, loss, news, reply } from './support/forged.ts'
import { fuzz } from './support/fuzz.ts'

const values = [isApplyReport, isChangeReport, isCommandOutput, isStrandsDescription, isEntries]
const accepted = { errors: 0, losses: 0, news: 0, replies: 0 }

fuzz({
  target: 'rpc',
  title: 'an error as data is of the contract or refused, and rebuilt can be shown anywhere',
  cases: 700,
  input: errorData,
  holds: (data) => {
    if (!isErrorData(data)) return
    accepted.errors += 1
    expectDocumented(rebuildError(data))
  },
})

fuzz({
  target: 'rpc',
  title: 'a loss as data is of the contract or refused, and told can be shown anywhere',
  cases: 400,
  input: loss,
  holds: (data) => {
    if (!isLossData(data)) return
    accepted.losses += 1
    expectDocumented(lossError(data))
  },
})

fuzz({
  target: 'rpc',
  title: 'news of a cell and replies to calls and openings are of the contract or refused',
  cases: 600,
  input: fc.tuple(news, reply),
  holds: ([told, answer]) => {
    if (isCellNews(told)) accepted.news += 1
    expect(isLeaseReply(answer)).toBe(false)
    if (!isOutcome(answer)) return
    accepted.replies += 1
    if (!answer.ok) return expectDocumented(rebuildError(answer.error))
    for (const isOfShape of values) expect(typeof isOfShape(answer.value)).toBe('boolean')
  },
  ends: () => Object.values(accepted),
})
