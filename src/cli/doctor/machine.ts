import { nativeStackSize } from '../../engines/strands/native-threads.ts'
import type { PlatformFacts } from '../../engines/strands/platform.ts'
import type { ResolvedEngine } from '../../engines/strands/resolve-engine.ts'
import type { Finding } from './report.ts'

const fullStack = 1024

/** What the sandboxes of this machine run on. */
export function machineFindings({ platform, arch, libc, libcVersion }: PlatformFacts): Finding[] {
  const library = libcVersion === undefined ? libc : `${libc} ${libcVersion}`
  return [
    { label: 'platform', text: platform },
    { label: 'architecture', text: arch },
    { label: 'C library', text: libc === 'none' ? 'not asked on this platform' : library },
    { label: 'Node', text: process.versions.node },
  ]
}

const ways: Record<ResolvedEngine['how'], string> = {
  package: 'as the package',
  addon: 'as the addon that is installed',
  'weak-copy': "as a private copy of the addon, which asks for less of this machine's older C library",
}

/** Which engine the sandboxes have, and how it is loaded. */
export function engineFindings({
  packageName,
  version,
  how,
  originalPath,
  source,
}: ResolvedEngine): Finding[] {
  return [
    { label: 'engine', text: `${packageName} ${version}` },
    { label: 'loaded', text: ways[how] },
    { label: 'installed at', text: originalPath },
    ...(source.path === originalPath ? [] : [{ label: 'loaded from', text: source.path }]),
    { label: 'native stacks', text: stackText() },
  ]
}

function stackText(): string {
  const size = Math.round(nativeStackSize() / 1024 ** 2)
  const chosen = process.env['RUST_MIN_STACK'] === undefined ? '' : ', as RUST_MIN_STACK says'
  if (size >= fullStack) return `${size} MiB, reserved and not used${chosen}`
  return `${size} MiB${chosen}: less than ${fullStack} MiB, so deeply nested commands can end the process`
}
