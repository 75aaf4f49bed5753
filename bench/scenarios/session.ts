import type { Contender, Shell } from '../contenders/contender.ts'
import { listing, ProjectTree, pathOf, textOf } from '../project-tree.ts'
import { ratioFigure } from '../results.ts'
import { expectAnswer, type Scenario } from '../scenario.ts'
import { timed } from '../timed.ts'

const whole = 'whole session'

interface Step {
  readonly name: string
  readonly run: (shell: Shell, pass: number) => Promise<void>
}

/** The steps of a coding agent on a project. `pass` makes the edits of each session differ. */
const steps: readonly Step[] = [
  {
    name: 'list',
    run: (shell) => expectAnswer(shell, `ls ${shell.root}/part7`, `${listing.join('\n')}\n`),
  },
  {
    name: 'grep',
    run: (shell) =>
      expectAnswer(
        shell,
        `cd ${shell.root} && grep -rn 'file number 417 of' .`,
        // Shells differ in how they print a path below the current directory.
        /^[./\w]*part8\/file17\.ts:1:\/\/ the file number 417 of all\n$/,
      ),
  },
  { name: 'read', run: (shell) => expectAnswer(shell, `cat ${shell.root}/${pathOf(3, 4)}`, textOf(3, 4)) },
  {
    name: 'edit',
    run: (shell, pass) => {
      const file = `${shell.root}/${pathOf(5, 6)}`
      const edit = `sed 's/^export const value7 = .*/export const value7 = ${pass}/' ${file} > ${file}.new && mv ${file}.new ${file}`
      return expectAnswer(shell, `${edit} && grep -n 'value7 =' ${file}`, `8:export const value7 = ${pass}\n`)
    },
  },
  {
    name: 'write',
    run: async (shell, pass) => {
      const file = `${shell.root}/notes.md`
      await shell.writeFile(file, new TextEncoder().encode(`# Pass ${pass}\n\nAll is well.\n`))
      await expectAnswer(shell, `head -n 1 ${file}`, `# Pass ${pass}\n`)
    },
  },
  { name: 'jq', run: (shell) => expectAnswer(shell, `jq -r .version ${shell.root}/package.json`, '1.2.3\n') },
]

/** A session of a coding agent. */
export const session: Scenario = {
  name: 'session',
  title: "A coding agent's session",
  does: 'Over a copy of a project of 1000 files: lists a directory, greps all files, reads one, edits one, writes one and queries JSON.',
  unit: 'ms',
  cases: [whole, ...steps.map(({ name }) => name)],
  cannot: { echo: 'is no shell' },
  rounds: 3,
  async *measure(contender: Contender, effort: number) {
    using tree = new ProjectTree()
    const source = await contender.start({ capacity: 1 })
    const shell = await source.open(tree.root)
    let pass = 0
    try {
      await runSession(shell, pass++)
      while (true) {
        const sessions: (readonly number[])[] = []
        const start = performance.now()
        while (sessions.length < 2 || performance.now() - start < 700 * effort)
          sessions.push(await runSession(shell, pass++))
        const samples: Record<string, readonly number[]> = {
          [whole]: sessions.map((times) => times.reduce((total, time) => total + time, 0)),
        }
        for (const [index, { name }] of steps.entries())
          samples[name] = sessions.map((times) => times[index] ?? Number.NaN)
        yield samples
      }
    } finally {
      await shell.close()
      await source.close()
    }
  },
  targets: (results) => [
    ratioFigure(results, {
      name: 'a session / native',
      of: [whole, 'ours-worker'],
      to: [whole, 'raw'],
      target: 'shown',
    }),
  ],
}

/** Milliseconds of each step. */
export async function runSession(shell: Shell, pass: number): Promise<readonly number[]> {
  const times: number[] = []
  for (const { run } of steps) times.push(await timed(() => run(shell, pass)))
  return times
}
