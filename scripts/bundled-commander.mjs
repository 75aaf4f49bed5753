import { readFileSync } from 'node:fs'

const eager = "const childProcess = require('node:child_process');"
const atUse = "const childProcess = { get spawn() { return require('node:child_process').spawn } };"

/** Bundles Commander, and has it load `node:child_process` at first use: it needs that for subcommands that are programs, and there are none. */
export const bundledCommander = {
  name: 'bundled-commander',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/commander\/lib\/command\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes(eager)) throw new Error(`Commander does not load child processes by: ${eager}`)
      return { contents: source.replace(eager, atUse), loader: 'js' }
    })
  },
}
