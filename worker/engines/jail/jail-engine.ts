import type { EngineSource } from '../../../src/contract/lease.ts'
import type { JailRecord } from '../../../src/contract/shell-record.ts'
import type { Engine, ShellContext } from '../../service/engine-shell.ts'
import { FarError } from '../../service/far-error.ts'
import { initialize } from '../../service/initialize.ts'
import { wrongRecord } from '../../service/wrong-record.ts'
import { putStart } from './files/put-start.ts'
import type { JailShape } from './jail.ts'
import { JailShell } from './jail-shell.ts'
import { SpareJails } from './spare-jails.ts'

/** Of this thread. */
const spareJails = new SpareJails()

/** The machine's own shell and programs, in a jail of namespaces. */
export async function jailEngine(source: EngineSource): Promise<Engine> {
  return {
    capabilities: {
      terminable: true,
      interrupt: true,
      sync: true,
      streaming: true,
      changes: true,
      checkpoint: false,
    },
    build: async (record, context) => {
      if (record.engine !== 'jail') throw wrongRecord(record.engine)
      return build(source, record, context)
    },
  }
}

async function build(source: EngineSource, record: JailRecord, context: ShellContext): Promise<JailShell> {
  const jail = await spareJails.open(shapeOf(record), source, context)
  try {
    const skipped = await putStart(jail, record)
    if (!jail.session.isAtStart && !(await jail.session.enter(record.cwd))) throw notEntered(record.cwd)
    const shell = new JailShell({ jail, record, context, skipped })
    if (record.init !== undefined) await initialize(shell, record.init)
    return shell
  } catch (error) {
    jail.close()
    throw error
  }
}

function notEntered(path: string): FarError {
  const message = `cwd is '${path}', which a shell cannot enter. Give a directory whose mode allows it.`
  return new FarError({ code: 'INVALID_CONFIG', field: 'cwd', message })
}

/** A spare jail is not to hold the files of a record. */
function shapeOf({ binds, cwd, env, interpreter, limits, root, tmpfs, umask }: JailRecord): JailShape {
  return { binds, cwd, env, interpreter, limits, root, tmpfs, ...(umask === undefined ? {} : { umask }) }
}
