/** The layers of src/, lowest first: a file imports from its own folder and from those before it. */
const layers = [
  ['contract'],
  ['allowlist'],
  ['async'],
  ['sandbox'],
  ['snapshot'],
  ['config'],
  ['network'],
  ['engines'],
  ['places'],
  ['host'],
  ['session'],
  ['hosted-sandbox'],
  ['strands-shell', 'bash'],
  ['shell-host'],
  ['tools', 'posix', 'argv', 'testing'],
  ['strands', 'ai-sdk', 'langchain', 'openai-agents', 'mcp'],
  ['cli'],
]

/** No folder imports from one of a higher layer, or from a neighbour on its own. Types count. */
const upward = layers.flatMap((folders, index) =>
  folders.map((folder) => ({
    name: `${folder}-imports-lower-layers-only`,
    severity: 'error',
    from: { path: `^src/${folder}/` },
    to: {
      path: `^src/(index\\.ts|(${[...folders.filter((one) => one !== folder), ...layers.slice(index + 1).flat()].join('|')})/)`,
    },
  })),
)

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upward,
    {
      name: 'every-folder-has-a-layer',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(index\\.ts|(${layers.flat().join('|')})/)` },
      to: {},
    },
    {
      name: 'no-circles-of-files',
      severity: 'error',
      from: { path: '^(src|worker|bench|soak)/' },
      to: { circular: true },
    },
    {
      name: 'src-does-not-import-worker',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^worker/' },
    },
    {
      name: 'worker-imports-what-both-sides-share-only',
      severity: 'error',
      from: { path: '^worker/' },
      to: { path: '^src/', pathNot: '^src/(contract|allowlist)/' },
    },
    {
      // Both sides run it: it computes, and reaches nothing. `net` is there for its lists of addresses.
      name: 'allowlist-has-pure-functions-only',
      severity: 'error',
      from: { path: '^src/allowlist/' },
      to: { pathNot: '^(src/allowlist/|net$|path$)' },
    },
    {
      name: 'service-imports-no-engine',
      severity: 'error',
      from: { path: '^worker/service/' },
      to: { path: '^worker/engines/' },
    },
    {
      name: 'host-files-import-no-engine',
      severity: 'error',
      from: { path: '^worker/host-files/' },
      to: { path: '^worker/engines/' },
    },
    {
      name: 'engines-do-not-import-each-other',
      severity: 'error',
      from: { path: '^(src|worker)/engines/([^/]+)/' },
      to: { path: '^(src|worker)/engines/[^/]+/', pathNot: '^(src|worker)/engines/$2/' },
    },
    {
      name: 'threads-do-not-import-cells',
      severity: 'error',
      from: { path: '^src/places/threads/' },
      to: { path: '^src/places/cells/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.cjs', '.js'] },
  },
}
