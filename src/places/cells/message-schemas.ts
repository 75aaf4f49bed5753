import type { CellNews, CellOrder, CellSettings } from '../../contract/cell-messages.ts'
import type { EngineSource } from '../../contract/lease.ts'
import type { ShellRecord } from '../../contract/shell-record.ts'
import { errorSchema, lossSchema } from '../../sandbox/error-schema.ts'
import { isRecord } from '../../sandbox/is-record.ts'
import {
  count,
  eitherOf,
  exactly,
  flag,
  matches,
  objectOf,
  orAbsent,
  valueThat,
} from '../../sandbox/schema-parts.ts'
import { capabilitiesSchema } from '../threads/capabilities-schema.ts'
import { allowanceSeconds, seconds } from '../threads/seconds-schema.ts'

type Order<Kind extends CellOrder['kind']> = Extract<CellOrder, { kind: Kind }>
type News<Kind extends CellNews['kind']> = Extract<CellNews, { kind: Kind }>

/** An object that the host made itself. */
function ownObject<T extends object>() {
  return valueThat((value): value is T => isRecord(value))
}

const orderSchema = eitherOf<CellOrder>([
  objectOf<Order<'start'>>({
    kind: exactly('start'),
    settings: ownObject<CellSettings>(),
    engine: ownObject<EngineSource>(),
    blank: ownObject<ShellRecord>(),
  }),
  objectOf<Order<'open'>>({ kind: exactly('open'), lane: count, record: ownObject<ShellRecord>() }),
  objectOf<Order<'release'>>({ kind: exactly('release'), lane: count }),
  objectOf<Order<'retire'>>({ kind: exactly('retire'), lane: count, suspect: flag, end: flag }),
  objectOf<Order<'interrupt'>>({ kind: exactly('interrupt'), lane: count, call: count }),
  objectOf<Order<'ping'>>({ kind: exactly('ping'), ping: count }),
])

const newsSchema = eitherOf<CellNews>([
  objectOf<News<'ready'>>({ kind: exactly('ready') }),
  objectOf<News<'opened'>>({
    kind: exactly('opened'),
    lane: count,
    timeout: seconds,
    allowance: allowanceSeconds,
    capabilities: capabilitiesSchema,
    pipe: orAbsent(count),
  }),
  objectOf<News<'refused'>>({ kind: exactly('refused'), lane: count, error: errorSchema }),
  objectOf<News<'lost'>>({ kind: exactly('lost'), lane: count, loss: lossSchema }),
  objectOf<News<'ended'>>({ kind: exactly('ended'), lane: count }),
  objectOf<News<'pong'>>({ kind: exactly('pong'), ping: count, workers: count, idle: count, rss: count }),
])

/** True for an order of the contract's kinds; what it holds is the host's own. */
export function isCellOrder(value: unknown): value is CellOrder {
  return matches(orderSchema, value)
}

/** True for news of the contract's shape. */
export function isCellNews(value: unknown): value is CellNews {
  return matches(newsSchema, value)
}
