import { expect, test } from 'vitest'
import { type BubblewrapFault, bubblewrapFault } from '../../src/engines/bubblewrap-fault.ts'
import { findBubblewrap, resolveBubblewrap } from '../../src/engines/find-bubblewrap.ts'
import { fakeBwrap } from '../support/fake-bwrap.ts'
import { noJails } from '../support/jail.ts'

test.skipIf(noJails !== undefined)('bubblewrap is found with its filter, and looked for once', async () => {
  const found = await resolveBubblewrap()
  expect(found).toEqual({
    ok: true,
    program: expect.stringMatching(/\/bwrap$/),
    filter: expect.stringMatching(/seccomp\/(x64|arm64)\.bpf$/),
  })
  expect(await resolveBubblewrap()).toBe(found)
})

test('a machine without bwrap is told which package to install', async () => {
  expect(await findBubblewrap('/nowhere:relative:')).toEqual({
    ok: false,
    reason: 'bubblewrap is not installed: there is no bwrap in PATH.',
    remedy: expect.stringContaining('apt-get install bubblewrap'),
  })
})

test('a bwrap that fails is told with what it printed', async () => {
  expect(await findBubblewrap(fakeBwrap('echo bwrap: strange >&2; exit 1'))).toMatchObject({
    ok: false,
    reason: expect.stringContaining('bwrap: strange'),
  })
  expect(await findBubblewrap(fakeBwrap('exit 7'))).toMatchObject({
    ok: false,
    reason: expect.stringContaining('it ended with status 7'),
  })
})

const facts = {
  unprivilegedNamespaces: undefined,
  mostNamespaces: 1000,
  apparmor: undefined,
  inContainer: false,
}
const notPermitted = 'bwrap: No permissions to create new namespace: Operation not permitted'

test.each<[string, string, Partial<typeof facts> | Record<string, unknown>, RegExp, RegExp]>([
  ['an old bwrap', 'bwrap: Unknown option --size', {}, /too old/, /0\.7 or newer/],
  [
    'Debian 10',
    notPermitted,
    { unprivilegedNamespaces: 0 },
    /switched off/,
    /sysctl -w kernel\.unprivileged_userns_clone=1/,
  ],
  [
    'no namespaces',
    'bwrap: Creating new namespace failed: No space left on device',
    { mostNamespaces: 0 },
    /switched off/,
    /sysctl -w user\.max_user_namespaces=/,
  ],
  [
    'Ubuntu 24.04',
    'bwrap: setting up uid map: Permission denied',
    { apparmor: 1 },
    /AppArmor/,
    /apparmor_parser -r/,
  ],
  ['a container', notPermitted, { inContainer: true }, /container/, /--security-opt seccomp=unconfined/],
  [
    'a container with a masked /proc',
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    { inContainer: true },
    /container/,
    /systempaths=unconfined/,
  ],
  ['anything else', 'bwrap: what', {}, /bwrap: what/, /^Run: bwrap/],
])('the fault of %s has a reason and a remedy', (_machine, printed, more, reason, remedy) => {
  const fault: BubblewrapFault = bubblewrapFault(printed, { ...facts, ...more })
  expect(fault.reason).toMatch(reason)
  expect(fault.reason).toContain(printed)
  expect(fault.remedy).toMatch(remedy)
})
