// npm run bench -- [--only NAME]… [--quick] [--json FILE]
// npm run bench -- --compare REF [--only NAME]… [--rounds N] [--tolerance PERCENT]
import { readArguments, UsageError } from './arguments.ts'
import { compare } from './compare/compare.ts'
import { comparisons } from './compare/comparisons.ts'
import { measureAll, scenarioNames } from './measure-all.ts'

const names = { scenarios: scenarioNames, comparisons: comparisons.map(({ name }) => name) }

try {
  const command = readArguments(process.argv.slice(2), names)
  const passed = command.kind === 'compare' ? await compare(command) : await measureAll(command)
  process.exitCode = passed ? 0 : 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
