import { expect, test } from 'vitest'
import { bubblewrapArguments } from '../../src/bubblewrap/arguments.ts'

const plan = {
  mounts: [],
  network: 'none',
  user: { uid: 1, gid: 2 },
  directory: '/d',
  seccompFd: 5,
  command: ['program', '--unshare-all'],
} as const

test('a jail has every namespace, no capability, a filter, and ends with its parent', () => {
  expect(bubblewrapArguments(plan).join(' ')).toBe(
    '--unshare-all --unshare-user --uid 1 --gid 2 --cap-drop ALL --die-with-parent --new-session --chdir /d --seccomp 5 -- program --unshare-all',
  )
})

test('a jail keeps the network of the host only where its plan says so', () => {
  expect(bubblewrapArguments(plan)).not.toContain('--share-net')
  expect(bubblewrapArguments({ ...plan, network: 'host' })).toContain('--share-net')
})

test('an environment replaces that of bwrap', () => {
  expect(bubblewrapArguments({ ...plan, environment: { A: 'x y', B: '' } }).join('|')).toContain(
    '|--clearenv|--setenv|A|x y|--setenv|B||',
  )
  expect(bubblewrapArguments(plan)).not.toContain('--clearenv')
})

test.each([
  [{ kind: 'bind', source: '/a b', destination: '/c' }, '--ro-bind|/a b|/c'],
  [{ kind: 'bind', source: '/a', destination: '/c', writable: true }, '--bind|/a|/c'],
  [{ kind: 'bind', source: '/a', destination: '/c', optional: true }, '--ro-bind-try|/a|/c'],
  [{ kind: 'bind', source: '/a', destination: '/c', optional: true, writable: true }, '--bind-try|/a|/c'],
  [{ kind: 'tmpfs', destination: '/t' }, '--tmpfs|/t'],
  [{ kind: 'tmpfs', destination: '/t', size: 4096, mode: 0o700 }, '--perms|0700|--size|4096|--tmpfs|/t'],
  [{ kind: 'directory', destination: '/d', mode: 0o1777 }, '--perms|1777|--dir|/d'],
  [{ kind: 'symlink', target: 'usr/bin', destination: '/bin' }, '--symlink|usr/bin|/bin'],
  [
    { kind: 'data', fd: 7, destination: '/etc/passwd', mode: 0o644 },
    '--perms|0644|--ro-bind-data|7|/etc/passwd',
  ],
  [
    { kind: 'proc', destination: '/proc' },
    [
      '--proc|/proc',
      ...['sys', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].map(
        (name) => `--ro-bind-try|/proc/${name}|/proc/${name}`,
      ),
    ].join('|'),
  ],
  [{ kind: 'dev', destination: '/dev' }, '--dev|/dev'],
  [{ kind: 'readonly', destination: '/' }, '--remount-ro|/'],
] as const)('a mount %o becomes %s', (mount, expected) => {
  expect(bubblewrapArguments({ ...plan, mounts: [mount] }).join('|')).toContain(
    `|--new-session|${expected}|--chdir|`,
  )
})
