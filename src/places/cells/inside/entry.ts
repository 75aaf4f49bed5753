import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { CellChannel } from '../../../channel/cell-channel.ts'
import { ContentReader } from '../../../channel/content-reader.ts'
import { CELL_CHANNEL_FD, CELL_CONTENTS_FD } from '../../../contract/cell.ts'
import { isCellOrder } from '../message-schemas.ts'
import { CellServer } from './cell-server.ts'

/** A cell ends as soon as its host is gone, whatever its native calls do. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}

// A signal to the whole process group is the host's to handle: the host ends its cells.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// The first process to end where the system's memory runs out; and no memory, with its secrets, in a core dump.
for (const [setting, value] of [
  ['oom_score_adj', '1000'],
  ['coredump_filter', '0'],
] as const) {
  try {
    writeFileSync(`/proc/self/${setting}`, value)
  } catch {
    // Not Linux: there is no such setting.
  }
}

const channel = new CellChannel(
  new Socket({ fd: CELL_CHANNEL_FD }),
  {
    onControl: (order) => {
      if (isCellOrder(order)) server.obey(order)
      else end()
    },
    onLaneBroken: (lane, { message }) => server.broken(lane, message),
    onBroken: end,
  },
  { reader: new ContentReader(CELL_CONTENTS_FD) },
)
const server = new CellServer(channel)
channel.ref()
