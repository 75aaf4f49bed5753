/** Names the process that answered; in a request, the only process that may answer it. */
export const INSTANCE_HEADER = 'strands-instance'

/** A number that rises whenever another process takes the sandbox that the answer is of. */
export const FENCE_HEADER = 'strands-fence'

/** Names a call, so that it has its effect once however often it is sent. */
export const KEY_HEADER = 'idempotency-key'

/** The number of the last event of a stream that its client has. */
export const LAST_EVENT_HEADER = 'last-event-id'

/** Whether a text can name a call: 1 to 128 visible ASCII characters. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text)
}
