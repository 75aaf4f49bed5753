/** A line for the log about a message of a client. The issues of a schema are many lines of JSON: they say no more. */
export function notUnderstood(error: Error): string {
  const why = 'issues' in error ? 'it is no message of JSON-RPC 2.0.' : error.message.split('\n', 1).join('')
  return `A message was not understood, or not sent: ${why}`
}
