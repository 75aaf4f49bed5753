import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The licences of the packages whose code is part of these files, as they ask for. */
export function licensesOf(inputs) {
  const names = inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
  return [...new Set(names)]
    .sort()
    .map((name) => {
      const home = `${root}node_modules/${name}`
      const file = readdirSync(home).find((entry) => /^licen[cs]e/i.test(entry))
      if (file === undefined) throw new Error(`${name} has no licence file.`)
      return `${name}\n\n${readFileSync(`${home}/${file}`, 'utf8').trim()}\n`
    })
    .join('\n---\n\n')
}
