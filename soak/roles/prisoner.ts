import { type Plan, type Role, roleOf, type WeightedPlans } from '../action.ts'
import type { SoakContext } from '../context.ts'
import { hostOptions, type Level } from '../level.ts'
import type { SoakHost } from '../shells/shell.ts'
import { demandSame } from '../violation.ts'
import { Resident } from './resident.ts'

/** Sets a variable and writes a file, then reads both in a later command. */
const keep: Plan<Resident> = (random) => {
  const isScoped = random.next() < 0.3
  return {
    text: `keep a variable and a file${isScoped ? ', and run a scoped command' : ''}`,
    perform: async (prisoner) => {
      const tracked = await prisoner.tracked()
      const mark = prisoner.mark()
      const { stdout } = await tracked.call('read', (it) =>
        it.execute('printf "%s\\n" "$MARK"; [ ! -e mark ] || cat mark'),
      )
      const [variable = '', file = ''] = stdout.split('\n')
      prisoner.model.read('$MARK', variable === '' ? undefined : variable)
      prisoner.model.read('mark', file === '' ? undefined : file)
      prisoner.model.maySet('$MARK', mark)
      prisoner.model.maySet('mark', mark)
      await tracked.call('set', (it) => it.execute(`MARK='${mark}'; printf %s "$MARK" >mark`))
      prisoner.model.set('$MARK', mark)
      prisoner.model.set('mark', mark)
      if (!isScoped) return
      const scope = { cwd: '/tmp', env: { MARK: 'scoped' } }
      const scoped = await tracked.call('scoped', (it) => it.execute('echo "$PWD $MARK"', scope))
      demandSame(scoped.stdout, '/tmp scoped\n', 'the output of a scoped command')
    },
  }
}

/** Ends the shell in a way that keeps its state, or in one that loses it. */
const end: Plan<Resident> = (random) => {
  const [command, exitCode, keeps] = random.pick<
    readonly [command: string, exitCode: number, keeps: boolean]
  >([
    ['exit 3', 3, true],
    ['set -e; trap "echo left" EXIT; false', 1, true],
    ['kill -9 $$', 137, false],
    ['exec true', 0, false],
  ])
  return {
    text: `end the shell: ${command}`,
    perform: async (prisoner) => {
      const tracked = await prisoner.tracked()
      if (!keeps) prisoner.model.maySet('$MARK', undefined)
      const result = await tracked.call('end', (it) => it.execute(command))
      demandSame(
        [result.exitCode, result.stdout],
        [exitCode, command.includes('left') ? 'left\n' : ''],
        command,
      )
      if (!keeps) prisoner.model.set('$MARK', undefined)
      else await tracked.call('go on', (it) => it.execute('set +e; trap - EXIT'))
    },
  }
}

/** Output, input and programs of the machine. */
const use: Plan<Resident> = (random) => {
  const size = random.pick([0, 1, 4096, 200_000])
  return {
    text: `${size} bytes through programs`,
    perform: async (prisoner) => {
      const tracked = await prisoner.tracked()
      const stdin = 'x'.repeat(size)
      const result = await tracked.call('pipe', (it) =>
        it.execute('tr x y | cat >&2; wc -c </dev/null', { stdin }),
      )
      demandSame([result.stdout, result.stderr], ['0\n', 'y'.repeat(size)], 'what came through a pipe')
      await tracked.call('write', (it) => it.writeText('/tmp/in', stdin))
      demandSame(await tracked.call('read', (it) => it.readText('/tmp/in')), stdin, 'a file')
    },
  }
}

/** Gives a command up that does not end. Its session survives, with what it had set. */
const stop: Plan<Resident> = (random) => {
  const command = random.pick(['sleep 1000', 'while :; do :; done', '(trap "" TERM; sleep 1000) & wait'])
  return {
    text: `give up: ${command}`,
    perform: async (prisoner) => {
      const tracked = await prisoner.tracked()
      const code = await tracked
        .call('stop', (it) => it.execute(command, { timeout: 0.5 }))
        .then(
          () => 'ended',
          (error: unknown) => {
            if (error instanceof Error && 'code' in error && error.code === 'TIMEOUT') return 'TIMEOUT'
            throw error
          },
        )
      demandSame(code, 'TIMEOUT', command)
    },
  }
}

const leave: Plan<Resident> = () => ({ text: 'close', perform: (prisoner) => prisoner.end() })

/** Uses the machine's bash in jails. */
export function prisoner(name: string, context: SoakContext, level: Level): Role {
  let host: SoakHost | undefined
  const hostOfJails = () => {
    host ??= context.openHost(hostOptions[level.isolation], 'jail')
    return host
  }
  const stage = new Resident(name, context, level, {}, hostOfJails)
  const plans: WeightedPlans<Resident> = [
    [6, keep],
    [2, end],
    [2, use],
    [1, stop],
    [1, leave],
  ]
  return roleOf(plans, stage, async () => {
    await stage.end()
    if (host !== undefined) await context.closeHost(host, 0)
  })
}
