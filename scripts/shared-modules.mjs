/** What a host consists of, for the entries that have one. */
export function hostModules(modulesOf) {
  const entries = [...modulesOf.keys()].filter((entry) =>
    modulesOf.get(entry).has('src/host/session-host.ts'),
  )
  return { modules: [...modulesOf.get('src/index.ts')], entries }
}

/** Groups of modules that each become one chunk, and the entries that load them. */
export function sharedModules(modulesOf) {
  const entries = [...modulesOf.keys()]
  const needs = (entry, module) => modulesOf.get(entry).has(module)
  const loaded = (modules) => ({
    modules,
    entries: entries.filter((entry) => modules.some((module) => needs(entry, module))),
  })
  const host = hostModules(modulesOf)
  const { modules: ofHost, entries: withHost } = host
  const neededOf = (entry) => ofHost.filter((module) => needs(entry, module))
  const neededOfAtMost = (count) =>
    new Set(
      entries
        .map(neededOf)
        .filter(({ length }) => length <= count)
        .flat(),
    )
  // What tools need, what a client of a service needs besides, and the rest.
  const [little, more] = [neededOfAtMost(20), neededOfAtMost(70)]

  const commands = entries.filter((entry) => entry.startsWith('src/cli/'))
  const ofProgram = [...modulesOf.get('src/cli/main.ts')].filter(
    (module) => module !== 'src/cli/main.ts' && !ofHost.includes(module),
  )
  const ofCommands = [...modulesOf.get('src/cli/run.ts')].filter(
    (module) =>
      module.startsWith('src/cli/') &&
      !ofProgram.includes(module) &&
      entries.every((entry) => withHost.includes(entry) || !needs(entry, module)),
  )
  return [
    loaded([...little]),
    loaded([...more].filter((module) => !little.has(module))),
    host,
    { modules: ofProgram, entries: commands },
    { modules: ofCommands, entries: commands.filter((entry) => withHost.includes(entry)) },
  ]
}
