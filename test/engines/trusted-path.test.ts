import { chmod, chown, mkdir, rename, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { assertTrustedPath } from '../../src/engines/trusted-path.ts'
import { temporaryDirectory } from './strands/fixtures/temporary.ts'

const USER = 12_345
const OTHER = 54_321

/** A directory `top/below` of `owner`, below a fresh directory of ours. */
async function place(mode: number, owner?: readonly [uid: number, gid: number]): Promise<string> {
  const top = join(await temporaryDirectory(), 'top')
  await mkdir(join(top, 'below'), { recursive: true })
  await chmod(top, mode)
  if (owner !== undefined) await chown(top, ...owner)
  return join(top, 'below')
}

test('the directories of this user and of root lead anywhere', async () => {
  await assertTrustedPath(await place(0o755))
  await assertTrustedPath('/')
})

test('where everybody may write, only what is sticky leads on', async () => {
  await expect(assertTrustedPath(await place(0o777))).rejects.toThrow(
    /^leads through \/.*\/top, which other users can write \(mode 777\)$/,
  )
  await assertTrustedPath(await place(0o1777))
})

test('a directory that became a symbolic link is refused', async () => {
  const below = await place(0o755)
  await rename(dirname(below), `${dirname(below)}-moved`)
  await symlink(`${dirname(below)}-moved`, dirname(below))
  await expect(assertTrustedPath(below)).rejects.toThrow('/top, which has become a symbolic link')
})

describe.runIf(process.getuid?.() === 0)('for another user than root', () => {
  function becomeUser(): void {
    vi.spyOn(process, 'geteuid').mockReturnValue(USER)
    vi.spyOn(process, 'getegid').mockReturnValue(USER)
    onTestFinished(() => void vi.restoreAllMocks())
  }

  test.each([
    { what: "another user's directory", mode: 0o755, owner: [OTHER, OTHER], says: 'belongs to user 54321' },
    { what: "another user's sticky directory", mode: 0o1777, owner: [OTHER, 0], says: 'belongs to user' },
    { what: 'a directory that a group can write', mode: 0o775, owner: [0, OTHER], says: '(mode 775)' },
    { what: 'what the own group shares with all', mode: 0o777, owner: [USER, USER], says: '(mode 777)' },
  ] as const)('$what is refused', async ({ mode, owner, says }) => {
    const below = await place(mode, owner)
    becomeUser()
    await expect(assertTrustedPath(below)).rejects.toThrow(says)
  })

  test("what only the user's own group can write leads on", async () => {
    const below = await place(0o775, [USER, USER])
    becomeUser()
    await assertTrustedPath(below)
  })
})
