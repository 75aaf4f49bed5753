import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ShellHost } from '../../src/index.ts'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'

const FRESH = 'bash: the shell has ended without its state: variables and functions begin afresh\n'

describe.skipIf(noJails !== undefined)('a session in a jail', () => {
  let sandbox: JailSandbox
  beforeAll(async () => {
    sandbox = await JailSandbox.open()
  })
  afterAll(() => sandbox.close())

  const output = async (command: string) => (await sandbox.execute(command)).stdout

  it('keeps its state from command to command, and where a command exits', async () => {
    await sandbox.execute(`f() { echo "f $1"; }; list=(a 'b c'); declare -A map=([k]=v); declare -r fixed=1
      alias ll=f; shopt -s extglob; set -o pipefail; set -- one two; trap 'echo usr' USR1; umask 027; cd /tmp`)
    const told = `f 1; echo "\${list[1]} \${map[k]} $fixed $2 $PWD $(umask)"; kill -USR1 $$; shopt extglob; set -o | grep pipefail`
    const before = await output(told)
    expect(before).toContain('b c v 1 two /tmp 0027')
    expect((await sandbox.execute('x=7; exit 3')).exitCode).toBe(3)
    expect(await output(`${told}; echo $x`)).toBe(`${before}7\n`)
    await sandbox.execute('set -e; y=8; false')
    expect(await output('set +e; echo $y')).toBe('8\n')
    await sandbox.execute('set --; cd; trap - USR1; umask 022')
  })

  it.each([
    [{ files: { '/data': 'x' }, cwd: '/data' }, 'cwd'],
    [{ files: { '/data': 'x' }, writable: ['/data'] }, 'writable[0]'],
    [{ files: { '/home/user': 'x' } }, 'files["/home/user"]'],
    [{ files: { '/tmp': 'x' } }, 'files["/tmp"]'],
  ])('does not begin where a file takes the place of a directory: %j', async (config, field) => {
    await expect(JailSandbox.open(config)).rejects.toMatchObject({ code: 'INVALID_CONFIG', field })
  })

  it('does not begin with a file above its limit', async () => {
    await expect(
      JailSandbox.open({ files: { '/data/a': 'x', '/data/b': 'too long' }, limits: { maxFileSize: 5 } }),
    ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'limits.maxFileSize', value: 5 })
  })

  it('reads its commands on where what it has read of them is given up', async () => {
    for (const length of [700_000, 700_000, 700_000, 1])
      expect(await output(`: ${'x'.repeat(length)}; echo ${length} $LINENO`)).toBe(`${length} 1\n`)
  })

  it('tells the status of the command before', async () => {
    await sandbox.execute('(exit 9)')
    expect(await output('echo $?')).toBe('9\n')
    await sandbox.execute('exit 5')
    expect(await output('echo $?; true')).toBe('5\n')
  })

  it('says where its state could not be kept', async () => {
    await sandbox.execute('lost=1')
    expect(await sandbox.execute('exec true')).toMatchObject({ exitCode: 0, stderr: FRESH })
    expect(await sandbox.execute('echo "[$lost]"; kill -9 $$')).toMatchObject({
      exitCode: 137,
      stdout: '[]\n',
      stderr: FRESH,
    })
  })

  it('stops a command with all that it has started, and keeps its variables', async () => {
    const stopped = async (command: string) => {
      await expect(sandbox.execute(command, { timeout: 0.3 })).rejects.toMatchObject({ code: 'TIMEOUT' })
    }
    await sandbox.execute('sleep 1001 & job=$!')
    await stopped('k=1; sleep 1002 & (trap "" TERM; sleep 1003); sleep 1004')
    await stopped('k=$((k + 1)); while :; do :; done')
    await stopped('trap "" VTALRM TERM INT; (setsid sleep 1005 &); sleep 1006')
    await sandbox.execute('trap - VTALRM TERM INT')
    expect(
      await output('echo $k; ps -eo args | grep -c "^sleep 100"; kill $job; wait $job 2>/dev/null'),
    ).toBe('2\n1\n')
  })

  it.each(['bash', 'sh'] as const)('stops a command that %s has not read yet', async (interpreter) => {
    const host = new ShellHost({ isolation: 'shared' })
    onTestFinished(() => host.close())
    const abortsAtOnce = async () => {
      const fresh = await JailSandbox.open({ interpreter, timeout: 20 }, { host })
      const stop = new AbortController()
      const call = fresh.execute('sleep 1007; touch /tmp/late', { signal: stop.signal })
      stop.abort()
      await expect(call).rejects.toMatchObject({ code: 'ABORTED' })
      const next = await fresh.execute('ls /tmp')
      return [next.exitCode, next.stdout, fresh.generation]
    }
    const ends = await Promise.all(Array.from({ length: 8 }, abortsAtOnce))
    expect(ends).toEqual(ends.map(() => [0, '', 1]))
  })

  it('goes on where a command is stopped that ends its shell meanwhile', async () => {
    for (let wait = 0; wait < 8; wait += 0.25) {
      const stop = new AbortController()
      const call = sandbox.execute('exit 3', { signal: stop.signal }).catch(() => undefined)
      const next = output(`echo ${wait}`)
      await sleep(wait)
      stop.abort()
      expect(await next).toBe(`${wait}\n`)
      await call
    }
    expect(sandbox.generation).toBe(1)
  })

  it('ends a command at the time limit of the session', async () => {
    await using timed = await JailSandbox.open({ timeout: 3 })
    const result = await timed.execute('echo begun; a=1; sleep 10')
    expect(result).toMatchObject({
      exitCode: 124,
      stdout: 'begun\n',
      stderr: 'bash: stopped after 3 s\n',
      timedOut: true,
    })
    expect((await timed.execute('echo $a')).stdout).toBe('1\n')
  })

  it('cuts output at its bound, and says so', async () => {
    await using bounded = await JailSandbox.open({ limits: { maxOutput: 1000 } })
    const { stdout, stderr, truncated } = await bounded.execute(
      'head -c 5000000 /dev/zero | tr "\\0" "é"; printf x >&2',
    )
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(1000)
    expect(stderr).toMatch(/^x\nbash: stdout truncated: kept \d+ of \d+ bytes \(limits\.maxOutput\)\n$/)
    expect(truncated).toMatchObject({ stdout: expect.any(Number) })
  })

  it('gives output as it comes', async () => {
    const chunks: string[] = []
    for await (const event of sandbox.executeStreaming(
      'echo one; sleep 0.2; echo two >&2; sleep 0.2; printf "\\xc3"; sleep 0.1; printf "\\xa9"',
    ))
      if ('type' in event) chunks.push(JSON.stringify(event))
    expect(chunks.length).toBeGreaterThanOrEqual(3)
    expect(chunks.join('')).toContain('é')
  })

  it('drops what jobs write between commands', async () => {
    await sandbox.execute('(sleep 0.1; echo late; : > /tmp/late) &')
    while (!(await sandbox.exists('/tmp/late'))) await sleep(10)
    expect(await output('echo now')).toBe('now\n')
  })

  it('reads and sets variables literally', async () => {
    await sandbox.setEnv('QUOTED', `it's $HOME "x"\n`)
    expect(await sandbox.getEnv('QUOTED')).toBe(`it's $HOME "x"\n`)
    expect(await output('printf %s "$QUOTED"')).toBe(`it's $HOME "x"\n`)
    await sandbox.execute('declare -r STAYS=1')
    await expect(sandbox.setEnv('STAYS', '2')).rejects.toMatchObject({ code: 'IO_ERROR' })
    expect(await sandbox.getEnv('NOT_SET')).toBeUndefined()
  })

  it('runs code in the programs of the machine', async () => {
    const result = await sandbox.executeCode('import sys; print(sys.stdin.read() + "!")', 'python', {
      stdin: 'in',
    })
    expect(result).toMatchObject({ exitCode: 0, stdout: 'in!\n' })
    expect(await sandbox.executeCode('x', 'nolang')).toMatchObject({ exitCode: 127 })
  })

  it('begins with the files, directories and the script of its config', async () => {
    const source = mkdtempSync(join(tmpdir(), 'jail-start-'))
    onTestFinished(() => rmSync(source, { recursive: true }))
    mkdirSync(join(source, 'sub'))
    writeFileSync(join(source, 'sub/run.sh'), 'echo ran', { mode: 0o755 })
    symlinkSync('sub/run.sh', join(source, 'link'))
    await using begun = await JailSandbox.open({
      files: { '/data/a.txt': 'text', '/data/dir': { directory: source } },
      writable: ['/out'],
      cwd: '/work',
      env: { GREETING: "it's" },
      umask: 0o077,
      init: 'from_init=$PWD',
    })
    const command =
      'cat /data/a.txt; echo; sh /data/dir/link; echo "$GREETING $from_init"; touch /out/x; stat -c %a /out/x; [ -x /data/dir/sub/run.sh ] && echo x'
    expect((await begun.execute(command)).stdout).toBe("text\nran\nit's /work\n600\nx\n")
  })

  it('binds directories of the host', async () => {
    const source = mkdtempSync(join(tmpdir(), 'jail-bind-'))
    onTestFinished(() => rmSync(source, { recursive: true }))
    writeFileSync(join(source, 'file'), 'of the host')
    await using bound = await JailSandbox.open({
      binds: [
        { source, destination: '/bound' },
        { source, destination: '/fixed', readonly: true },
      ],
    })
    await bound.execute('echo new >/bound/new')
    expect(await bound.readText('/fixed/new')).toBe('new\n')
    await expect(bound.writeText('/fixed/x', '')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  })

  it('opens on a host by its name', async () => {
    await using host = new ShellHost({ maxSandboxes: 4 })
    const jail = await host.open({ shell: 'jail', labels: { tenant: 'a' } })
    expect([jail.shell, jail.isolation, (await jail.execute('echo $0')).stdout]).toEqual([
      'jail',
      'shared',
      'bash\n',
    ])
    await expect(jail.snapshot()).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(jail.checkpoint()).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    expect(() => host.sandbox({ shell: 'jail', isolation: 'process' as 'shared' })).toThrow(
      /process of its own/,
    )
  })

  it('enters a directory of the name -, and runs code of programs that take a file by an option', async () => {
    await using one = await JailSandbox.open({ files: { '/work/-/here': 'in it' }, cwd: '/work' })
    expect((await one.execute('cat here', { cwd: '-' })).stdout).toBe('in it')
    expect((await one.executeCode('{ print NR ": " $0 }', 'awk', { stdin: 'line\n' })).stdout).toBe(
      '1: line\n',
    )
    await one.execute('exit 1')
    expect((await one.execute('printenv OLDPWD || echo unset')).stdout).toBe('unset\n')
  })

  it('asks its policies', async () => {
    await using guarded = await JailSandbox.open({
      policy: (call) =>
        call.kind === 'command' && call.command.includes('rm') ? { deny: 'no rm' } : 'allow',
    })
    expect(await guarded.execute('rm -rf /tmp/x')).toMatchObject({ exitCode: 126 })
    expect((await guarded.execute('echo fine')).exitCode).toBe(0)
  })
})
