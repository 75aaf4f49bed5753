#!/usr/bin/env node
import { describeFailure, exitCodeOf } from './failure.ts'
import { standardOutputs } from './output.ts'
import { runProgram } from './program.ts'
import { exitOnSignals } from './signals.ts'

exitOnSignals()
const outputs = standardOutputs()

async function main(): Promise<number> {
  try {
    return await runProgram(process.argv.slice(2), outputs)
  } catch (error) {
    // Where the message cannot be written either, the exit code has to say it all.
    await outputs.stderr.write(describeFailure(error)).catch(() => undefined)
    return exitCodeOf(error)
  }
}

// Everything is delivered: what a worker still does ends here.
process.exit(await main())
