import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findGroupParents } from '../../../src/control-groups/group-parents.ts'
import { until } from '../../faults/helpers.ts'
import { noJails } from '../../support/jail.ts'
import { cellPids } from './cell-pids.ts'
import { cellEntry, cellHost } from './helpers.ts'

const parents = findGroupParents()
const mebibyte = 2 ** 20

describe.skipIf(noJails !== undefined || parents?.pids === undefined || parents.memory === undefined)(
  'the control group of a cell',
  () => {
    it('bounds its threads and its memory, and goes with it', async () => {
      const host = cellHost({ hardening: 'require', sandboxesPerCell: 2, maxCellMemory: 512 * mebibyte })
      await using sandbox = await host.open()
      await sandbox.execute('true')
      const [pid] = cellPids()
      const own = readFileSync(`/proc/${pid}/cgroup`, 'latin1')
      const name = /strands-jail-[\da-f-]+/.exec(own)?.[0] ?? ''
      const tasks = join(parents?.pids ?? '', name)
      const memory = join(parents?.memory ?? '', name)
      expect(readFileSync(join(tasks, 'pids.max'), 'latin1')).toBe(`${256 + 2 * 64}\n`)
      const bound = parents?.version === 2 ? 'memory.max' : 'memory.limit_in_bytes'
      expect(Number(readFileSync(join(memory, bound), 'latin1'))).toBe(768 * mebibyte)
      await host.close()
      await until(() => !existsSync(tasks) && !existsSync(memory))
    })

    it('ends a cell that takes memory faster than the host looks', async () => {
      const code = `const held = []; for (;;) held.push(Buffer.alloc(${64 * mebibyte}, 1))`
      const host = cellHost({ hardening: 'require', maxCellMemory: 256 * mebibyte, cellUrl: cellEntry(code) })
      await expect(host.open().then((sandbox) => sandbox.execute('true'))).rejects.toMatchObject({
        code: 'MEMORY_LIMIT',
        cause: { code: 'CELL_MEMORY' },
      })
    })
  },
)
