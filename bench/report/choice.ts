import type { ContenderName } from '../contenders/contender.ts'
import type { Figure } from '../figure.ts'
import { type Results, summaryOf } from '../results.ts'
import { formatValue } from '../show.ts'

/** Milliseconds and MiB; undefined where the run has no such figure. */
interface Cost {
  readonly open: number | undefined
  readonly call: number | undefined
  readonly memory: number | undefined
}

/** A sandbox at an isolation level. */
interface Choice {
  readonly sandbox: string
  readonly level: string
  readonly when: string
  readonly cost: (results: Results) => Cost
}

const choices: readonly Choice[] = [
  {
    sandbox: 'StrandsShellSandbox',
    level: 'process',
    when: 'commands of models you do not trust, in a short Bourne shell. The default of `ShellHost`',
    cost: compared('ours-process', 'each of 1000'),
  },
  {
    sandbox: 'StrandsShellSandbox',
    level: 'shared',
    when: 'your own scripts, as many agents as possible in one process',
    cost: compared('ours-shared', 'each of 1000'),
  },
  {
    sandbox: 'StrandsShellSandbox',
    level: 'worker',
    when: 'few agents whose commands compute: none waits for another',
    cost: compared('ours-worker', 'each of 100'),
  },
  {
    sandbox: 'BashSandbox',
    level: 'process',
    when: 'commands of models you do not trust, in bash: what models write',
    cost: compared('ours-bash-process', 'each of 1000'),
  },
  {
    sandbox: 'BashSandbox',
    level: 'shared',
    when: 'the same in your own process; a command that computes delays the others of its thread',
    cost: compared('ours-bash-shared', 'each of 1000'),
  },
  {
    sandbox: 'BashSandbox',
    level: 'worker',
    when: 'few agents in bash, or binds on a slow disk',
    cost: compared('ours-bash-worker', 'each of 100'),
  },
  {
    sandbox: 'JailSandbox',
    level: 'shared',
    when: 'programs of the machine: `git`, `python`, compilers. Linux alone',
    cost: checked({
      open: 'jail sandbox: opening on a warm host',
      call: "jail sandbox: execute('true')",
      memory: 'jail sandbox: memory of each of 200',
    }),
  },
]

/** The head and the rows of a table: what each choice is for, and what it costs. */
export function choiceTable(results: Results): { head: readonly string[]; rows: readonly string[][] } {
  const rows = choices.map(({ sandbox, level, when, cost }) => {
    const { open, call, memory } = cost(results)
    const shown = (value: number | undefined, unit: string) =>
      value === undefined ? '–' : `${formatValue(value)} ${unit}`
    const thousand = memory === undefined ? undefined : (memory * 1000) / 1024
    return [
      `\`${sandbox}\``,
      `\`'${level}'\``,
      when,
      shown(open, 'ms'),
      shown(call, 'ms'),
      shown(memory, 'MiB'),
      shown(thousand, 'GiB'),
    ]
  })
  return {
    head: ['sandbox', 'level', 'for', 'opening', 'a call', 'memory of an agent', 'of a thousand'],
    rows,
  }
}

/** From the scenarios that compare. */
function compared(name: ContenderName, crowd: string): Choice['cost'] {
  return ({ scenarios }) => {
    const median = (scenario: string, result: string) =>
      summaryOf(
        scenarios.find((one) => one.name === scenario)?.cases.find((one) => one.name === result),
        name,
      )?.median
    return {
      open: median('open', 'host in use'),
      call: median('execute', 'true'),
      memory: median('memory', crowd),
    }
  }
}

/** From the figures of checks. */
function checked(names: Readonly<Partial<Record<keyof Cost, string>>>): Choice['cost'] {
  return ({ scenarios }) => {
    const figures: readonly Figure[] = scenarios.flatMap(({ targets }) => targets)
    const ours = (name: string | undefined) => figures.find((one) => one.name === name)?.ours
    return { open: ours(names.open), call: ours(names.call), memory: ours(names.memory) }
  }
}
