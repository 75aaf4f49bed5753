/** What an event of cells says that is about no sandbox, besides its labels. */
export function ofNoSandbox<Kind extends string>(kind: Kind) {
  return {
    kind,
    time: Date.now(),
    id: undefined,
    sandbox: 0,
    isolation: 'process',
    shell: 'strands',
    generation: 0,
    sequence: 0,
  } as const
}
