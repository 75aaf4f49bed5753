import type { ExecutionResult } from '../../src/index.ts'
import type { Plan } from '../act.ts'
import type { Resident } from '../roles/resident.ts'
import { demand, demandSame } from '../violation.ts'

/** Runs a command in another directory, with a variable of its own: nothing of it stays. */
export const scoped: Plan<Resident> = () => ({
  text: 'scoped command',
  play: async (resident) => {
    const life = await resident.life()
    const [mark, options] = [resident.mark(), { cwd: '/usr' }]
    const { stdout } = await life.call('scoped', (it) => {
      return it.execute('pwd; echo "$SCOPED"', { ...options, env: { SCOPED: mark } })
    })
    demandSame(stdout, `/usr\n${mark}\n`, 'the output of a scoped command')
    const after = await life.call('after it', (it) => it.execute('pwd; echo "$SCOPED."'))
    demandSame(
      after.stdout,
      `${resident.model.value('cwd') ?? '/home/lash'}\n.\n`,
      'what a scoped command left',
    )
  },
})

/** Changes the directory of the session. */
export const changeDirectory: Plan<Resident> = (random) => {
  const directory = random.pick(['/tmp', '/usr', '/home/lash'])
  return {
    text: `cd ${directory}`,
    play: async (resident) => {
      const life = await resident.life()
      const { stdout } = await life.call('cd', (it) => it.execute(`cd ${directory}; pwd`))
      demandSame(stdout, `${directory}\n`, 'the directory after cd')
      resident.model.set('cwd', directory)
    },
  }
}

/** Sets a variable of the session, by a call or a command, and reads it the other way. */
export const variable: Plan<Resident> = (random) => {
  const [name, byCall] = [random.pick(['ONE', 'TWO', 'THREE']), random.chance(0.5)]
  return {
    text: `variable ${name} set by a ${byCall ? 'call' : 'command'}`,
    play: async (resident) => {
      const life = await resident.life()
      resident.model.read(`$${name}`, await life.call('getEnv', (it) => it.getEnv(name)))
      const mark = resident.mark()
      if (byCall) await life.call('setEnv', (it) => it.setEnv(name, mark))
      else await life.call('export', (it) => it.execute(`export ${name}='${mark}'`))
      resident.model.set(`$${name}`, mark)
    },
  }
}

/** Runs a program in one of the languages there are. */
export const code: Plan<Resident> = (random) => {
  const language = random.pick(['lua', 'sh'])
  return {
    text: `code in ${language}`,
    play: async (resident) => {
      const life = await resident.life()
      const mark = resident.mark()
      const text = language === 'lua' ? `print("${mark}")` : `echo '${mark}'`
      const { stdout } = await life.call('code', (it) => it.executeCode(text, language))
      demandSame(stdout, `${mark}\n`, `what a program in ${language} printed`)
    },
  }
}

/** Fails as a command fails: with a result. */
export const failure: Plan<Resident> = (random) => {
  const exitCode = random.below(256)
  return {
    text: `exit ${exitCode}`,
    play: async (resident) => {
      const life = await resident.life()
      const mark = resident.mark()
      const result = await life.call('exit', (it) => it.execute(`echo '${mark}'; exit ${exitCode}`))
      const expected: ExecutionResult = {
        type: 'executionResult',
        exitCode,
        stdout: `${mark}\n`,
        stderr: '',
        outputFiles: [],
      }
      demandSame(result, expected, 'the result of a command that failed')
    },
  }
}

/** Takes all events of a stream, or leaves after the first, or does not even begin. */
export const stream: Plan<Resident> = (random) => {
  const taken = random.pick(['all', 'the first', 'none'])
  return {
    text: `stream, ${taken} taken`,
    play: async (resident) => {
      const life = await resident.life()
      const mark = resident.mark()
      const command = `printf %s '${mark}' > /tmp/a; cat /tmp/a`
      if (taken !== 'none') resident.model.maySet('/tmp/a', mark)
      let [output, results] = ['', 0]
      await life.call('stream', async (it) => {
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
      demandSame(
        [output, results],
        taken === 'none' ? ['', 0] : [mark, taken === 'all' ? 1 : 0],
        'the stream',
      )
      if (taken !== 'none') resident.model.set('/tmp/a', mark)
    },
  }
}

/** Asks what the sandbox is. */
export const describe: Plan<Resident> = () => ({
  text: 'describe',
  play: async (resident) => {
    const life = await resident.life()
    const { limits } = await life.call('describe', (it) => it.describe())
    demand(limits['maxDepth'] === 64, () => `maxDepth is ${limits['maxDepth']}, and should be 64`)
  },
})
