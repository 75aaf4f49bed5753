import type { IncomingMessage, ServerResponse } from 'node:http'
import { queueMicrotask } from '../async/clock.ts'

/** Calls `listener` once when an exchange is over; a response that waits behind another on its socket never closes itself. */
export function onceOver({ socket }: IncomingMessage, response: ServerResponse, listener: () => void): void {
  let isOver = false
  const over = () => {
    if (isOver) return
    isOver = true
    response.off('close', over)
    socket.off('close', over)
    listener()
  }
  response.once('close', over)
  // Each exchange of a socket listens until it is over.
  socket.setMaxListeners(0).once('close', over)
  // One that was lost before tells it no more.
  if (socket.destroyed) queueMicrotask(over)
}
