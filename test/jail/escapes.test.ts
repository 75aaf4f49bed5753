import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { JailSandbox } from '../../src/jail/index.ts'
import { compiled, noCompiler, noJails } from '../support/jail.ts'

/** What is on the host, outside of every jail. */
interface Outside {
  readonly directory: string
  readonly port: number
  readonly victim: number
  /** A program that makes one system call, named by its argument, and tells how that ended. */
  readonly calls: string
}

/** An act that succeeds on the host: it prints `done`. */
type Act = readonly [name: string, script: (outside: Outside) => string]

const found = (script: string) => `if ${script}; then echo done; else echo refused; fi 2>/dev/null`

const acts: readonly Act[] = [
  ['read a file of the host', ({ directory }) => found(`grep -q secret ${directory}/secret`)],
  ['list the homes of the host', ({ directory }) => found(`[ "$(ls -A ${directory})" ]`)],
  ['write outside of binds', ({ directory }) => found(`echo x >${directory}/written`)],
  [
    'follow a link out of a bind',
    ({ directory }) => found(`grep -q secret \${BOUND-${directory}/bound}/link`),
  ],
  [
    'enter the root of the first process',
    ({ directory, victim }) => found(`grep -q secret /proc/\${VICTIM-${victim}}/root${directory}/secret`),
  ],
  ['see a process of the host', ({ victim }) => found(`grep -q sleep /proc/${victim}/cmdline`)],
  ['signal a process of the host', ({ victim }) => found(`kill -0 ${victim}`)],
  ['read the environment of the host', () => found('[ "$ESCAPE_TEST" = inherited ]')],
  ['use a descriptor of the host', () => found('read -r line <&9 && [ "$line" ]')],
  ['connect to a service of the host', ({ port }) => found(`exec 7<>/dev/tcp/127.0.0.1/${port}`)],
  ['connect to an abstract socket of the host', ({ calls }) => found(`${calls} abstract`)],
  ['mount', ({ calls }) => found(`${calls} mount`)],
  ['make a namespace of users', ({ calls }) => found(`${calls} userns`)],
  ['trace a process', ({ calls }) => found(`${calls} ptrace`)],
  ['open a raw socket', ({ calls }) => found(`${calls} raw`)],
  ['use keyrings', ({ calls }) => found(`${calls} keyring`)],
  ['load a BPF program', ({ calls }) => found(`${calls} bpf`)],
  ['change the root directory', ({ calls }) => found(`${calls} chroot`)],
  ['make a device', ({ calls }) => found(`${calls} mknod`)],
  ['gain rights by a setuid program', ({ calls }) => found(`${calls} setuid`)],
  [
    'write to settings of the kernel',
    () => found('v=$(cat /proc/sys/kernel/core_pattern) && echo "$v" >/proc/sys/kernel/core_pattern'),
  ],
  [
    'write to settings of the machine',
    () => found('[ "$(find /proc/sys /proc/irq /proc/bus -type f -writable)" ]'),
  ],
  ['write to control groups', () => found('[ -w /sys/fs/cgroup ]')],
]

const source = `
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <signal.h>
#include <unistd.h>
int is(char **v, const char *name) { return strcmp(v[1], name) == 0; }
int main(int c, char **v) {
  if (is(v, "abstract")) {
    struct sockaddr_un a = { AF_UNIX };
    memcpy(a.sun_path + 1, NAME, sizeof a.sun_path - 1);
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    return connect(s, (struct sockaddr *)&a, sizeof a) != 0;
  }
  if (is(v, "mount")) { mkdir("/tmp/escape-mount", 0700); unshare(CLONE_NEWNS); mount("none", "/", 0, MS_REC | MS_PRIVATE, 0); return mount("none", "/tmp/escape-mount", "tmpfs", 0, 0) != 0; }
  if (is(v, "userns")) return unshare(CLONE_NEWUSER) != 0;
  if (is(v, "ptrace")) { pid_t p = fork(); if (!p) { pause(); _exit(0); } long r = ptrace(PTRACE_ATTACH, p, 0, 0); kill(p, SIGKILL); return r != 0; }
  if (is(v, "raw")) return socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) < 0;
  if (is(v, "keyring")) return syscall(SYS_keyctl, 0, -3, 1) < 0;
  if (is(v, "bpf")) { char attr[120] = { 2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1 }; return syscall(SYS_bpf, 0, attr, sizeof attr) < 0; }
  if (is(v, "chroot")) return chroot("/tmp") != 0;
  if (is(v, "mknod")) { unlink("/tmp/escape-node"); int r = mknod("/tmp/escape-node", S_IFCHR | 0600, makedev(1, 8)); unlink("/tmp/escape-node"); return r != 0; }
  if (is(v, "setuid")) return setuid(0) != 0 || setgid(0) != 0;
  return 1;
}
`

describe.skipIf(noJails !== undefined || noCompiler !== undefined)('escapes from a jail', () => {
  let outside: Outside
  let sandbox: JailSandbox
  let victim: ChildProcess
  const ends: (() => void)[] = []

  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'escapes-'))
    ends.push(() => rmSync(directory, { recursive: true, force: true }))
    writeFileSync(join(directory, 'secret'), 'secret\n')
    execFileSync('mkdir', [join(directory, 'bound')])
    symlinkSync(join(directory, 'secret'), join(directory, 'bound', 'link'))
    // As long as a name can be: Node 20 fills shorter ones with zeros, later versions do not.
    const name = `escapes-${process.pid}`.padEnd(107, '-')
    writeFileSync(join(directory, 'calls.c'), source.replaceAll('NAME', JSON.stringify(name)))
    const { program, directory: built } = compiled(join(directory, 'calls.c'))
    ends.push(() => rmSync(built, { recursive: true }))
    const server = createServer().listen(0, '127.0.0.1')
    const abstract = createServer().listen(`\0${name}`)
    await new Promise((resolve) => server.once('listening', resolve))
    ends.push(
      () => server.close(),
      () => abstract.close(),
    )
    victim = spawn('sleep', ['1000'], { stdio: 'ignore' })
    ends.push(() => victim.kill())
    const address = server.address()
    if (address === null || typeof address === 'string' || victim.pid === undefined)
      throw new Error('no host')
    process.env['ESCAPE_TEST'] = 'inherited'
    ends.push(() => delete process.env['ESCAPE_TEST'])
    outside = { directory, port: address.port, victim: victim.pid, calls: program }
    sandbox = await JailSandbox.open({
      binds: [
        { source: join(directory, 'bound'), destination: '/bound' },
        { source: built, destination: '/built' },
      ],
    })
    await sandbox.execute('BOUND=/bound VICTIM=1')
  })
  afterAll(async () => {
    await sandbox?.close()
    for (const end of ends) end()
  })

  /** As root, on a host that lets root do all of it. */
  const isRoot = process.getuid?.() === 0

  it.each(acts)('do not %s', async (_, script) => {
    const { stdout, stderr } = await sandbox.execute(script({ ...outside, calls: '/built/program' }))
    expect(stdout + stderr).toContain('refused')
  })

  it.skipIf(!isRoot).each(acts)('are tried with what works on the host: %s', (_, script) => {
    const { stdout } = spawnSync('bash', ['-c', `exec 9<${outside.directory}/secret; ${script(outside)}`], {
      encoding: 'utf8',
      env: { ...process.env, ESCAPE_TEST: 'inherited' },
    })
    expect(stdout).toBe('done\n')
  })

  it('do not push characters into a terminal, which a jail has none of', async () => {
    expect((await sandbox.execute('[ -t 0 ] || tty; (: </dev/tty) 2>&1')).stdout).toMatch(
      /not a tty\n.*(?:No such|cannot)/s,
    )
  })

  it('do not find sockets of agents and buses', async () => {
    const { stdout } = await sandbox.execute(
      'env | grep -E "SSH_|DBUS|XDG|DISPLAY"; ls /run /var /root /home 2>&1; readlink /proc/$$/fd/*',
    )
    expect(stdout).not.toMatch(/SSH_|DBUS|user\/\d|\.ssh/)
    const descriptors = stdout.split('\n').filter((line) => line.startsWith('/dev/') || line.includes(':'))
    expect(descriptors.filter((line) => !/^\/dev\/null$|^socket:|^ls: |^\/\w+:$/.test(line))).toEqual([])
  })

  it('do not fill the machine with processes', async () => {
    await using bounded = await JailSandbox.open({ limits: { maxProcesses: 40 } })
    const bomb = bounded.execute('bomb() { bomb | bomb & }; bomb; sleep 1; echo over', { timeout: 2 })
    await bomb.catch(() => undefined)
    const processes = Number(execFileSync('sh', ['-c', 'ls -d /proc/[0-9]* | wc -l'], { encoding: 'utf8' }))
    expect(processes).toBeLessThan(2000)
    // Either the session goes on, or it was ended, which is told once.
    const after = await bounded.execute('echo alive').catch(() => bounded.execute('echo alive'))
    expect(after.stdout).toBe('alive\n')
  })
})
