import type { Redirect } from 'unbash'
import type { Collector } from './collector.ts'
import { literalOf } from './words.ts'

const modes = {
  '<': 'read',
  '<&': 'read',
  '<>': 'both',
  '>': 'write',
  '>|': 'write',
  '>&': 'write',
  '&>': 'write',
  '>>': 'append',
  '&>>': 'append',
} as const

/** Takes down the file that a redirect names. A descriptor is no file. */
export function takeRedirect({ operator, target }: Redirect, collector: Collector): void {
  const path = target && literalOf(target)
  const isDescriptor = operator.endsWith('&') && path !== undefined && /^(?:\d+-?|-)$/.test(path)
  if (!isDescriptor) collector.redirect({ mode: modes[operator], path })
}
