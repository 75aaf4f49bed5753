import { execFile } from 'node:child_process'
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemPath } from '../system-tool.ts'
import { inNamespace, unavailable } from './overlay-mounts.ts'

/** A directory that is removed and made again needs an extended attribute, which memory has since Linux 6.6. */
const script = `
PATH=${systemPath}
mount -n -t tmpfs -o size=64k overlay "$1" || exit 2
cd "$1" && mkdir lower lower/a upper work merged || exit 2
mount -n -t overlay -o userxattr,lowerdir=lower,upperdir=upper,workdir=work overlay merged || exit 3
rmdir merged/a && mkdir merged/a || exit 4
`

let works = false

/** Makes sure that overlays work on this machine. @throws FarError `INVALID_CONFIG` that says what is missing */
export async function requireOverlays(): Promise<void> {
  if (works) return
  const directory = await mkdtemp(join(tmpdir(), 'overlay-probe-'))
  try {
    const { file, args } = inNamespace([script, 'probe', directory])
    await promisify(execFile)(file, [...args], { timeout: 10_000 })
    works = true
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw unavailable(reasonOf(error), 'stderr' in error ? String(error.stderr) : error.message)
  } finally {
    await rmdir(directory)
  }
}

function reasonOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  if (code === 3) return 'the kernel refuses them to this user'
  if (code === 4) return 'memory cannot hold their attributes in this kernel'
  return 'no user and mount namespace could be made'
}
