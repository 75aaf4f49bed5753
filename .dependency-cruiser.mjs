/** The layers of src/, lowest first: a file imports from its own folder and from those before it. */
const layers = [
  ['contract'],
  ['allowlist', 'bubblewrap'],
  ['async'],
  ['channel'],
  ['control-groups'],
  ['sandbox'],
  ['policy'],
  ['snapshot'],
  ['config'],
  ['network'],
  ['engines'],
  ['places'],
  ['host'],
  ['audit', 'session'],
  ['hosted-sandbox'],
  ['strands-shell', 'bash', 'jail'],
  ['shell-host'],
  ['http'],
  ['tools', 'posix', 'argv', 'testing', 'telemetry', 'protocol'],
  ['strands', 'ai-sdk', 'langchain', 'openai-agents', 'mcp', 'otel', 'prometheus', 'remote'],
  ['service'],
  ['cluster'],
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

/** The layers of page/, lowest first. */
const pageLayers = ['text', 'service', 'state', 'charts', 'terminal', 'views']
const upwardInPage = pageLayers.map((folder, index) => ({
  name: `page-${folder}-imports-lower-layers-only`,
  severity: 'error',
  from: { path: `^page/${folder}/` },
  to: { path: `^page/(main\\.tsx|(${pageLayers.slice(index + 1).join('|')})/)` },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upward,
    ...upwardInPage,
    {
      name: 'page-imports-protocol-only',
      severity: 'error',
      from: { path: '^page/' },
      to: { path: '^(src|worker)/', pathNot: '^src/protocol/' },
    },
    {
      // Schemas would bring their library along.
      name: 'page-bundles-no-schema',
      severity: 'error',
      from: { path: '^page/' },
      to: {
        path: '^src/',
        pathNot: '^src/protocol/(headers|server-sent-events)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-imports-page',
      severity: 'error',
      from: { path: '^(src|worker|bench|soak)/' },
      to: { path: '^page/' },
    },
    {
      name: 'every-folder-has-a-layer',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(index\\.ts|(${layers.flat().join('|')})/)` },
      to: {},
    },
    {
      name: 'no-circles-of-files',
      severity: 'error',
      from: { path: '^(src|worker|bench|soak|page)/' },
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
      to: { path: '^src/', pathNot: '^src/(contract|allowlist|bubblewrap|channel|control-groups)/' },
    },
    {
      // Both sides run it: it computes, and reaches nothing. `net` is there for its lists of addresses.
      name: 'allowlist-has-pure-functions-only',
      severity: 'error',
      from: { path: '^src/allowlist/' },
      to: { pathNot: '^(src/allowlist/|net$|path$)' },
    },
    {
      name: 'bubblewrap-has-pure-functions-only',
      severity: 'error',
      from: { path: '^src/bubblewrap/' },
      to: { pathNot: '^src/bubblewrap/' },
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
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js'] },
  },
}
