import { type Context, joined, type Runner } from './context.ts'
import { type OptionRules, type TakenApart, takeApart } from './options.ts'

/** Programs that run the rest of their words as a command. */
const RULES: Readonly<Record<string, OptionRules>> = {
  builtin: {},
  busybox: {},
  exec: { flags: 'cl', values: 'a' },
  nohup: {},
  timeout: {
    flags: 'fpv',
    values: 'ks',
    long: ['--foreground', '--preserve-status', '--verbose'],
    longValues: ['--kill-after', '--signal'],
    operands: 1,
  },
  nice: { values: 'n', longValues: ['--adjustment'], numbers: true },
  time: {
    flags: 'apqvV',
    values: 'fo',
    long: ['--append', '--portability', '--quiet', '--verbose'],
    longValues: ['--format', '--output'],
  },
  sudo: {
    flags: 'AbEHknPS',
    values: 'CDghpRTu',
    long: ['--askpass', '--background', '--non-interactive', '--preserve-env', '--set-home', '--stdin'],
    longValues: ['--chdir', '--group', '--host', '--prompt', '--user'],
    assigns: true,
  },
  doas: { flags: 'n', values: 'Cu' },
  setsid: { flags: 'cfw', long: ['--ctty', '--fork', '--wait'] },
  stdbuf: { values: 'eio', longValues: ['--error', '--input', '--output'] },
  ionice: {
    flags: 't',
    values: 'cn',
    long: ['--ignore'],
    longValues: ['--class', '--classdata'],
  },
  chroot: { longValues: ['--groups', '--userspec'], long: ['--skip-chdir'], operands: 1 },
}

function wrapper(rules: OptionRules): Runner {
  return (args, context) => {
    const apart = takeApart(args, rules)
    if (apart === undefined) return context.opaque('name')
    assign(apart, context)
    context.run(apart.rest)
  }
}

function assign({ assignments }: TakenApart, { collector }: Context): void {
  for (const text of assignments) {
    const [name = '', ...value] = text.split('=')
    if (name !== '-') collector.assignment(name, value.join('='))
  }
}

const env: Runner = (args, context) => {
  const apart = takeApart(args, {
    flags: 'i0v',
    values: 'uCS',
    long: ['--ignore-environment', '--null', '--debug'],
    longValues: ['--unset', '--chdir', '--split-string'],
    assigns: true,
  })
  if (apart === undefined) return context.opaque('name')
  assign(apart, context)
  const split = apart.options.get('S') ?? apart.options.get('--split-string')
  if (split === undefined) context.run(apart.rest)
  else context.script(joined([{ value: split, prefix: split, text: split }, ...apart.rest]))
}

/** With `-v` and `-V` it tells of a name and runs nothing. */
const command: Runner = (args, context) => {
  const apart = takeApart(args, { flags: 'pvV' })
  if (apart === undefined) return context.opaque('name')
  if (!apart.options.has('v') && !apart.options.has('V')) context.run(apart.rest)
}

/** It runs its words in a shell, joined; with `-x` as a command. */
const watch: Runner = (args, context) => {
  const apart = takeApart(args, {
    flags: 'bcCdegptwx',
    values: 'nq',
    long: [
      '--beep',
      '--color',
      '--differences',
      '--errexit',
      '--chgexit',
      '--exec',
      '--no-title',
      '--precise',
    ],
    longValues: ['--interval'],
  })
  if (apart === undefined) return context.opaque('name')
  if (apart.options.has('x') || apart.options.has('--exec')) context.run(apart.rest)
  else context.script(joined(apart.rest))
}

/** It runs its words in a shell, with an input put in; without words its inputs are the commands. */
const parallel: Runner = (args, context) => {
  const apart = takeApart(args, {
    flags: 'kqtvX0',
    values: 'jIPNnaL',
    longValues: ['--jobs'],
    long: ['--keep-order'],
  })
  if (apart === undefined) return context.opaque('name')
  const end = apart.rest.findIndex(({ value }) => value?.startsWith(':::') === true)
  const template = end === -1 ? apart.rest : apart.rest.slice(0, end)
  context.script(template.length === 0 ? undefined : joined(template))
  if (template.some(({ value }) => value?.includes('{') === true)) context.opaque('script')
}

/** What each of these programs runs. */
export const WRAPPERS: readonly (readonly [name: string, runner: Runner])[] = [
  ...Object.entries(RULES).map(([name, rules]) => [name, wrapper(rules)] as const),
  ['command', command],
  ['env', env],
  ['parallel', parallel],
  ['watch', watch],
]
