import { setTimeout as sleep } from 'node:timers/promises'
import type { HostCommandMap } from '../../src/bash/index.ts'
import { SandboxError, SandboxTimeoutError } from '../../src/index.ts'
import { type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import type { Level } from '../level.ts'
import { until } from '../until.ts'
import { demandSame } from '../violation.ts'
import { Resident } from './resident.ts'

/** The state of an actor whose sandbox has functions of this process as commands. */
class Commander {
  readonly resident: Resident
  /** Functions that have not ended. */
  running = 0

  constructor(name: string, context: SoakContext, level: Level) {
    this.resident = new Resident(name, context, level, { commands: this.#commands(), timeout: 60 })
  }

  #commands(): HostCommandMap {
    const counted = (run: HostCommandMap[string]['run']): HostCommandMap[string] => ({
      description: 'A command of the soak.',
      run: async (args, context) => {
        this.running += 1
        try {
          return await run(args, context)
        } finally {
          this.running -= 1
        }
      },
    })
    return {
      shout: counted((args, { stdin }) => `${stdin}${args.join(' ')}`.toUpperCase()),
      refuse: counted(() => Promise.reject(new Error('refused'))),
      copy: counted(async ([from = '', to = ''], { readFile, writeFile }) => {
        await writeFile(to, await readFile(from))
        return ''
      }),
      linger: counted(async (_, { signal }) => {
        await sleep(30_000, undefined, { signal }).catch(() => undefined) // Its caller gave up.
        return 'lingered'
      }),
    }
  }
}

/** Uses functions in pipes and loops. */
const compose: Plan<Commander> = (random) => {
  const times = 1 + random.below(20)
  return {
    text: `compose ${times} functions`,
    perform: async ({ resident }) => {
      const tracked = await resident.tracked()
      const mark = resident.mark()
      const command = `for ((i = 0; i < ${times}; i++)); do echo '${mark}' | shout "$i" | head -n 1; done | sort -u; refuse; echo $?`
      const { stdout, stderr } = await tracked.call('compose', (it) => it.execute(command))
      const failure = stderr.includes('refused') ? 'refused' : stderr
      demandSame([stdout, failure], [`${mark.toUpperCase()}\n1\n`, 'refused'], 'what functions gave')
    },
  }
}

/** A function reads and writes files of the session. */
const copy: Plan<Commander> = () => ({
  text: 'copy by a function',
  perform: async ({ resident }) => {
    const tracked = await resident.tracked()
    const mark = resident.mark()
    const command = `printf %s '${mark}' > /tmp/from; copy /tmp/from /tmp/to; cat /tmp/to`
    const { stdout } = await tracked.call('copy', (it) => it.execute(command))
    demandSame(stdout, mark, 'what a function copied')
  },
})

/** Gives up while a function runs, whose signal tells it. */
const giveUp: Plan<Commander> = (random) => {
  const after = random.between(0.05, 0.3).toFixed(3)
  return {
    text: `give up a function after ${after} s`,
    perform: async (commander) => {
      const { resident } = commander
      const tracked = await resident.tracked()
      try {
        await tracked.call('linger', (it) => it.execute('linger', { timeout: Number(after) }))
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error
        demandSame(error instanceof SandboxTimeoutError, true, 'that a call was given up')
      }
      await until(
        () => commander.running === 0,
        30,
        () => `${commander.running} functions of ${resident.name} run on`,
      )
    },
  }
}

/** Asks for python, which the sandbox does not have. */
const noPython: Plan<Commander> = () => ({
  text: 'python that is off',
  perform: async ({ resident }) => {
    const tracked = await resident.tracked()
    const { exitCode } = await tracked.call('python', (it) => it.executeCode('print(1)', 'python'))
    demandSame(exitCode, 127, 'the exit code of python where it is off')
  },
})

const plans: WeightedPlans<Commander> = [
  [4, compose],
  [2, copy],
  [2, giveUp],
  [1, noPython],
  [0.3, () => ({ text: 'close', perform: ({ resident }) => resident.end() })],
]

/** Has functions of this process as commands. */
export function commander(name: string, context: SoakContext, level: Level): Role {
  const stage = new Commander(name, context, level)
  return roleOf(plans, stage, () => stage.resident.end())
}
