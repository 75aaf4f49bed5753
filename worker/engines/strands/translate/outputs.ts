import type { Redirection } from 'unbash'

/** Whether a redirection says where the output goes. */
export function isOutput(one: Redirection): boolean {
  if (one.type !== 'Redirect') return false
  const { operator, descriptor } = one
  if (operator === '&>' || operator === '&>>') return true
  if (operator !== '>' && operator !== '>>' && operator !== '>|') return false
  return descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 1)
}

/** Whether a redirection makes messages of what a command prints. */
export function isToErrors(one: Redirection): boolean {
  if (one.type !== 'Redirect') return false
  const isDevice = one.target?.text === '/dev/stderr' && one.operator.startsWith('>')
  if (!isDevice && (one.operator !== '>&' || one.target?.text !== '2')) return false
  return (
    one.descriptor === undefined || (one.descriptor.type === 'FileDescriptor' && one.descriptor.value === 1)
  )
}
