import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bubblewrapArguments } from '../../../bubblewrap/arguments.ts'
import type { JailMount } from '../../../bubblewrap/plan.ts'
import type { EngineSource } from '../../../contract/lease.ts'
import type { BubblewrapFault } from '../../../engines/bubblewrap-fault.ts'
import { type Bubblewrap, tryJail } from '../../../engines/find-bubblewrap.ts'
import { libraryMounts } from '../../../engines/system-mounts.ts'
import { SandboxConfigError } from '../../../sandbox/errors.ts'
import type { HostPath } from './host-paths.ts'
import { JailFiles } from './jail-files.ts'

/** What every cell of a host runs with. */
export interface CellProgram {
  readonly engine: EngineSource
  readonly entry: URL
  readonly workerEntry: URL
}

/** What of the host the sandboxes of one cell share. */
export interface CellFiles {
  /** Those with the same key are the same files. Empty: none. */
  readonly key: string
  readonly files: JailFiles
}

/** Where a cell makes temporary files; one that shows all of the host has no place of its own but this. */
const temporaryDirectory = '/cell'
const temporaryBesideAll = '/dev/shm'
/** Bytes of temporary files: the engine makes some small ones while it builds a shell. */
const temporaryBytes = 64 * 2 ** 20
/** The descriptor of `bwrap` with the filter: the one after the pipe of the cell. */
const SECCOMP_FD = 4

/** Where TLS finds the certificates that the system trusts: never where it has its own keys. */
const certificates = [
  '/etc/ssl/certs',
  '/etc/ssl/cert.pem',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust/extracted',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
]
const zones = ['/etc/localtime', '/usr/share/zoneinfo']
/** How names are resolved: a cell behind a proxy resolves none. */
const resolver = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/host.conf', '/etc/gai.conf']
const certificateVariables = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS']
/** What the entry of a worker loads from beside itself. */
const workerFiles = /^(?:thread-pipe\.cjs|on-demand\.cjs|translate\.cjs|bash\.cjs|empty-file)$/

/** How the cells of a host are put into jails. */
export class CellJail {
  static #nodeStarts = false
  readonly bubblewrap: Bubblewrap
  /** What every cell shows. */
  readonly #files: JailFiles
  readonly #system: readonly JailMount[]

  /** Looks where the files are that a cell runs with. @param hasNetwork - whether it has the network of the host. */
  static async prepare(bubblewrap: Bubblewrap, program: CellProgram, hasNetwork: boolean): Promise<CellJail> {
    const files = new JailFiles()
    const { env } = process
    const named = certificateVariables.flatMap((name) => env[name] ?? [])
    const libraries = (env['LD_LIBRARY_PATH'] ?? '').split(':').filter((path) => path.startsWith('/'))
    const paths = [...certificates, ...zones, ...named, ...libraries, ...(hasNetwork ? resolver : [])]
    const [system] = await Promise.all([
      libraryMounts(),
      addProgram(files, program),
      ...[process.execPath, ...paths].map((path) => files.add(path)),
    ])
    return new CellJail(bubblewrap, files, system)
  }

  private constructor(bubblewrap: Bubblewrap, files: JailFiles, system: readonly JailMount[]) {
    this.bubblewrap = bubblewrap
    this.#files = files
    this.#system = system
  }

  /** Why Node does not start in such a jail; undefined where it does. Looks once a process. */
  async fault(): Promise<BubblewrapFault | undefined> {
    if (CellJail.#nodeStarts) return undefined
    const args = this.arguments([process.execPath, '--version'], await this.filesOf([]), '/nowhere')
    const printed = await tryJail(this.bubblewrap, args, SECCOMP_FD)
    CellJail.#nodeStarts = printed === undefined
    if (printed === undefined) return undefined
    return {
      reason: `Node (${process.execPath}) does not start in a jail: ${printed.trim()}.`,
      remedy:
        "Use a Node that needs the system's libraries alone, such as that of nodejs.org, or hardening: 'none'.",
    }
  }

  /** The files of a cell whose sandboxes reach these. @throws SandboxConfigError for what a jail cannot show */
  async filesOf(paths: readonly HostPath[]): Promise<CellFiles> {
    const files = new JailFiles(this.#files)
    const keys = (await Promise.all(paths.map((path) => addHostPath(files, path)))).flat()
    return { key: [...new Set(keys)].sort().join('\n'), files }
  }

  /** The environment of a cell as it is in its jail. */
  environment({ TMP: _tmp, TEMP: _temp, ...env }: NodeJS.ProcessEnv, files: CellFiles): NodeJS.ProcessEnv {
    return { ...env, TMPDIR: temporaryIn(files) }
  }

  /** The arguments of `bwrap`. @param socket - of the proxy; undefined: the cell has the network of the host. */
  arguments(command: readonly [string, ...string[]], shows: CellFiles, socket: string | undefined): string[] {
    const own = directoryOfProcess()
    return bubblewrapArguments({
      mounts: [
        ...this.#system,
        { kind: 'directory', destination: own },
        { kind: 'dev', destination: '/dev' },
        { kind: 'proc', destination: '/proc' },
        ...shows.files.mounts(),
        { kind: 'tmpfs', destination: temporaryIn(shows), size: temporaryBytes, mode: 0o700 },
        ...(socket === undefined
          ? []
          : [{ kind: 'bind', source: socket, destination: socket, optional: true } as const]),
        ...(showsAll(shows) ? [] : [{ kind: 'readonly', destination: '/' } as const]),
      ],
      network: socket === undefined ? 'host' : 'none',
      user: jailUser(),
      hostname: 'cell',
      directory: own,
      seccompFd: SECCOMP_FD,
      command,
    })
  }
}

/** Node finds what kind of module a file is as outside. */
async function addProgram(files: JailFiles, { engine, entry, workerEntry }: CellProgram): Promise<void> {
  for (const url of [entry, workerEntry]) {
    const path = await files.add(fileURLToPath(url))
    if (path === undefined) continue
    await addManifest(files, dirname(path))
    if (url === entry) continue
    const beside = (await readdir(dirname(path))).filter((name) => workerFiles.test(name))
    for (const name of beside) await files.add(join(dirname(path), name))
  }
  await addEngine(files, engine)
}

/** An addon is one file. A package has others that it needs, somewhere below the outermost `node_modules`. */
async function addEngine(files: JailFiles, { kind, path, code }: EngineSource): Promise<void> {
  // The file may come while cells run.
  if (code !== undefined) await files.add(dirname(code))
  const file = await files.add(kind === 'module' ? fileURLToPath(path) : path)
  const modules = kind === 'addon' ? undefined : /^.*?\/node_modules(?=\/)/.exec(file ?? '')?.[0]
  if (modules !== undefined) await files.add(modules)
}

/** The nearest `package.json`, and those that might be nearer are not there. */
async function addManifest(files: JailFiles, directory: string): Promise<void> {
  for (let at = directory; ; at = dirname(at)) {
    if ((await files.add(join(at, 'package.json'))) !== undefined || dirname(at) === at) return
  }
}

/**
 * Another directory at the same path is another one. Of a file that is replaced at its place the cell needs the directory. What
 * is not there is left out: the worker says so.
 */
async function addHostPath(files: JailFiles, { field, path, writable, live }: HostPath): Promise<string[]> {
  try {
    const found = await stat(path)
    const isReplaced = !found.isDirectory() && (writable || live)
    const real = await files.add(path, { writable, directoryOf: isReplaced })
    if (real !== undefined && isOfProc(real)) throw inProc(field, path)
    return [JSON.stringify([path, found.dev, found.ino, writable, isReplaced])]
  } catch (error) {
    if (error instanceof SandboxConfigError) throw error
    return []
  }
}

/** A jail has a `/proc` of its own, with its own processes. */
function isOfProc(path: string): boolean {
  return path === '/proc' || path.startsWith('/proc/')
}

function inProc(field: string, path: string): SandboxConfigError {
  const message = `${field} is '${path}', which leads into /proc. A cell in a jail has a /proc of its own. Bind another directory, or open the host with hardening: 'none'.`
  return new SandboxConfigError(message, { field })
}

function temporaryIn(files: CellFiles): string {
  return showsAll(files) ? temporaryBesideAll : temporaryDirectory
}

function showsAll({ files }: CellFiles): boolean {
  return files.has('/')
}

/** Files of this user are those of the user in the jail, who is not root. */
function jailUser(): { readonly uid: number; readonly gid: number } {
  const [uid = 0, gid = 0] = [process.geteuid?.(), process.getegid?.()]
  return { uid: uid || 1000, gid: gid || 1000 }
}

/** The engine takes relative paths from it. */
function directoryOfProcess(): string {
  try {
    return process.cwd()
  } catch {
    return '/' // It was removed.
  }
}
