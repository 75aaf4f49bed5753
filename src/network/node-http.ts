/**
 * Node's `http` without the `fetch` of Node: `import 'node:http'` reads all that it exports, and from Node 22 on that loads
 * `fetch` too, which takes 10 MiB and ends a process that has no 10 GiB of address space.
 */
export const http = process.getBuiltinModule('node:http')
