import type { ExecutionResult } from '../../src/index.ts'
import type { Plan } from '../action.ts'
import type { Resident } from '../roles/resident.ts'
import { demandSame } from '../violation.ts'

/** Runs a command with `cwd` and `env`. Neither lasts beyond the command. */
export const scoped: Plan<Resident> = () => ({
  text: 'scoped command',
  perform: async (resident) => {
    const tracked = await resident.tracked()
    const [mark, options] = [resident.mark(), { cwd: '/usr' }]
    const { stdout } = await tracked.call('scoped', (it) => {
      return it.execute('pwd; echo "$SCOPED"', { ...options, env: { SCOPED: mark } })
    })
    demandSame(stdout, `/usr\n${mark}\n`, 'the output of a scoped command')
    const after = await tracked.call('after it', (it) => it.execute('pwd; echo "$SCOPED."'))
    const [directory, variable] = after.stdout.split('\n')
    demandSame(variable, '.', 'what a scoped command left')
    resident.model.read('cwd', directory === resident.context.shell.home ? undefined : directory)
  },
})

/** Changes the directory of the session. */
export const changeDirectory: Plan<Resident> = (random) => {
  const place = random.pick(['/tmp', '/usr', undefined])
  return {
    text: `cd ${place ?? 'home'}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const directory = place ?? resident.context.shell.home
      resident.model.maySet('cwd', place)
      const { stdout } = await tracked.call('cd', (it) => it.execute(`cd ${directory}; pwd`))
      demandSame(stdout, `${directory}\n`, 'the directory after cd')
      resident.model.set('cwd', place)
    },
  }
}

/** Sets a variable of the session by a call or a command, and reads it before. */
export const variable: Plan<Resident> = (random) => {
  const [name, byCall] = [random.pick(['ONE', 'TWO', 'THREE']), random.chance(0.5)]
  return {
    text: `variable ${name} set by a ${byCall ? 'call' : 'command'}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      resident.model.read(`$${name}`, await tracked.call('getEnv', (it) => it.getEnv(name)))
      const mark = resident.mark()
      resident.model.maySet(`$${name}`, mark)
      if (byCall) await tracked.call('setEnv', (it) => it.setEnv(name, mark))
      else await tracked.call('export', (it) => it.execute(`export ${name}='${mark}'`))
      resident.model.set(`$${name}`, mark)
    },
  }
}

/** Runs a program in a supported language. */
export const code: Plan<Resident> = (random) => {
  const isShell = random.chance(0.5)
  return {
    text: `code in ${isShell ? 'sh' : 'another language'}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const mark = resident.mark()
      const { shell } = resident.context
      const [language, text] = isShell ? ['sh', `echo '${mark}'`] : [shell.language, shell.printIn(mark)]
      const { stdout } = await tracked.call('code', (it) => it.executeCode(text, language))
      demandSame(stdout, `${mark}\n`, `what a program in ${language} printed`)
    },
  }
}

/** Runs a command that exits with a non-zero code, which is a result and no error. */
export const failure: Plan<Resident> = (random) => {
  const exitCode = random.below(256)
  return {
    text: `exit ${exitCode}`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const mark = resident.mark()
      const result = await tracked.call('exit', (it) => it.execute(`echo '${mark}'; exit ${exitCode}`))
      const expected: ExecutionResult = {
        type: 'executionResult',
        exitCode,
        stdout: `${mark}\n`,
        stderr: '',
        outputFiles: [],
        timedOut: false,
        truncated: false,
        durationMs: result.durationMs,
      }
      demandSame(result, expected, 'the result of a command that failed')
    },
  }
}

/** Takes all events of a stream, only the first, or none. */
export const stream: Plan<Resident> = (random) => {
  const taken = random.pick(['all', 'the first', 'none'])
  return {
    text: `stream, ${taken} taken`,
    perform: async (resident) => {
      const tracked = await resident.tracked()
      const mark = resident.mark()
      const command = `printf %s '${mark}' > /tmp/a; cat /tmp/a`
      if (taken !== 'none') resident.model.maySet('/tmp/a', mark)
      let [output, results] = ['', 0]
      // Where output comes as it is made, a stream that is left is an interrupted call.
      const mayHit = (id: string | undefined) => id === tracked.id && resident.resets
      const { losses } = resident.context
      const reset = losses.announce({ reasons: ['RESET'], mayHit })
      const taking = tracked.call('stream', async (it) => {
        const events = it.executeStreaming(command)
        if (taken === 'none') {
          await events.return()
          return void (await it.execute('true'))
        }
        for await (const event of events) {
          if (event.type === 'executionResult') results += 1
          else output += event.data
          if (taken === 'the first') break
        }
      })
      await taking.finally(() => reset.over())
      if (tracked.id !== undefined) losses.interrupted(tracked.id, tracked.generation)
      demandSame(
        [output, results],
        taken === 'none' ? ['', 0] : [mark, taken === 'all' ? 1 : 0],
        'the stream',
      )
      if (taken === 'all') resident.model.set('/tmp/a', mark)
    },
  }
}

/** Calls `describe()`. */
export const describe: Plan<Resident> = () => ({
  text: 'describe',
  perform: async (resident) => {
    const tracked = await resident.tracked()
    const { limits } = await tracked.call('describe', (it) => it.describe())
    const [name, value] = resident.context.shell.limit
    demandSame(new Map(Object.entries(limits)).get(name), value, name)
  },
})
