import type { CellNews, CellOrder } from '../../contract/cell-messages.ts'
import { isErrorData, isLossData, isRecord } from '../../sandbox/error-shapes.ts'
import { isAllowance, isCapabilities, isSeconds } from '../threads/lease-reply.ts'

type Fields = Readonly<Record<string, unknown>>

const orders: Record<CellOrder['kind'], (order: Fields) => boolean> = {
  start: ({ settings, engine }) => isRecord(settings) && isRecord(engine),
  open: ({ lane, record }) => isCount(lane) && isRecord(record),
  release: ({ lane }) => isCount(lane),
  retire: ({ lane, suspect, end }) =>
    isCount(lane) && typeof suspect === 'boolean' && typeof end === 'boolean',
  interrupt: ({ lane, call }) => isCount(lane) && isCount(call),
  ping: ({ ping }) => isCount(ping),
}

const news: Record<CellNews['kind'], (news: Fields) => boolean> = {
  ready: () => true,
  opened: ({ lane, timeout, allowance, capabilities }) =>
    isCount(lane) && isSeconds(timeout) && isAllowance(allowance) && isCapabilities(capabilities),
  refused: ({ lane, error }) => isCount(lane) && isErrorData(error),
  lost: ({ lane, loss }) => isCount(lane) && isLossData(loss),
  ended: ({ lane }) => isCount(lane),
  pong: (pong) => [pong['ping'], pong['workers'], pong['idle'], pong['rss']].every(isCount),
}

/** True for an order of the contract's kinds; what it holds is the host's own. */
export function isCellOrder(value: unknown): value is CellOrder {
  return isOneOf(orders, value)
}

/** True for news of the contract's shape. */
export function isCellNews(value: unknown): value is CellNews {
  return isOneOf(news, value)
}

function isOneOf(kinds: Record<string, (fields: Fields) => boolean>, value: unknown): boolean {
  if (!isRecord(value) || typeof value['kind'] !== 'string') return false
  return Object.hasOwn(kinds, value['kind']) && kinds[value['kind']]?.(value) === true
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
