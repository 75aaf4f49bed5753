// The worker's entry, with a profiler of its thread that a broadcast starts and stops.
const { Session } = require('node:inspector')
const { BroadcastChannel } = require('node:worker_threads')

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: 100 })

const channel = new BroadcastChannel('profile')
channel.onmessage = ({ data }) => {
  if (data === 'start') session.post('Profiler.start')
  if (data !== 'stop') return
  session.post('Profiler.stop', (error, result) => channel.postMessage({ error: error?.message, ...result }))
}
channel.unref()

module.exports = require('../dist/worker/entry.cjs')
