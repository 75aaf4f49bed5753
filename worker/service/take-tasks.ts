import { isMainThread } from 'node:worker_threads'

/**
 * Has a thread that was started with this entry take the tasks of Piscina, by the loop of Piscina's own threads. A thread
 * that was started with Piscina's file has that loop, and loads the entry from it.
 *
 * @param entry - the module of the entry.
 */
export function takeTasks(entry: NodeJS.Module): void {
  const isStart = require.main === entry || process.argv[1] === entry.filename
  if (isStart && !isMainThread) require('../../node_modules/piscina/dist/worker.js')
}
