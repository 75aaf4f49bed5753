import type { Shell } from '../contenders/contender.ts'
import { sampleTimes } from '../measure.ts'
import { expectAnswer, type Scenario, withShell } from '../scenario.ts'

/** Scripts in the language that all contenders share, with what they print. `root` is the shell's own directory. */
const scripts: readonly {
  readonly name: string
  readonly text: (root: string) => string
  readonly prints: string
}[] = [
  {
    name: 'loop',
    text: () => 'i=0; while [ $i -lt 200 ]; do i=$((i + 1)); done; echo $i',
    prints: '200\n',
  },
  {
    name: 'case',
    text: () => 'for word in one two three; do\n  case $word in\n    t*) echo "$word" ;;\n  esac\ndone',
    prints: 'two\nthree\n',
  },
  {
    name: 'function',
    text: () => 'show() { echo "<$1>"; }\nfor name in a b c; do\n  show "$name"\ndone',
    prints: '<a>\n<b>\n<c>\n',
  },
  {
    name: 'pipeline',
    text: (root) =>
      `printf 'b\\na\\nb\\nc\\n' > ${root}/words; sort ${root}/words | uniq | grep -v c | tr a-z A-Z`,
    prints: 'A\nB\n',
  },
  {
    name: 'config',
    text: (root) => `printf 'key=1\\nother=2\\n' > ${root}/config; sed 's/^key=.*/key=9/' ${root}/config`,
    prints: 'key=9\nother=2\n',
  },
  {
    name: 'tree',
    text: (root) =>
      `mkdir -p ${root}/tree/a; for i in 1 2 3 4 5; do echo "line $i" > ${root}/tree/a/$i; done; cat ${root}/tree/a/2 ${root}/tree/a/5; rm -r ${root}/tree`,
    prints: 'line 2\nline 5\n',
  },
]

/** Runs each script once. */
async function runAll(shell: Shell): Promise<void> {
  for (const { text, prints } of scripts) await expectAnswer(shell, text(shell.root), prints)
}

/** Small scripts as agents write them. */
export const scriptsScenario: Scenario = {
  name: 'scripts',
  title: 'Scripts',
  does: `Runs ${scripts.length} small scripts in an open shell, one after another: ${scripts.map(({ name }) => name).join(', ')}.`,
  unit: 'ms',
  cases: ['all of them'],
  cannot: { echo: 'is no shell' },
  rounds: 5,
  measure: (contender, effort) =>
    withShell(contender, async function* (shell) {
      while (true) yield { 'all of them': await sampleTimes(() => runAll(shell), { time: 400 * effort }) }
    }),
}
