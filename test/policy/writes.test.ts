import { describe, expect, it } from 'vitest'
import { protectPaths } from '../../src/policy/ready-made/protect-paths.ts'
import { readOnly } from '../../src/policy/ready-made/read-only.ts'
import { allows, codeCall, commandCall, fileCall, verdictOn } from './calls.ts'
import { waysToRun } from './escapes.ts'

/** Ways to change `/work/f`, in Strands Shell. */
const changes = [
  ...waysToRun('touch', '/work/f'),
  ...waysToRun('rm', '/work/f'),
  'echo a > /work/f',
  'echo a >> /work/f',
  'echo a >| /work/f',
  'echo a &> /work/f',
  ': <> /work/f',
  '{ echo a; } > /work/f',
  'f() { echo a; } > /work/f; f',
  'exec > /work/f; echo a',
  'echo a > /tmp/../work/f',
  'echo a > //work/f',
  'echo a > "/work"/f',
  "echo a > $'/work/f'",
  'cd /work && echo a > f',
  'cd /work; touch f',
  'echo a > f',
  'echo a > ~/f',
  'x=/work/f; echo a > $x',
  'echo a > /work/*',
  'echo a > $(echo /work/f)',
  "eval 'echo a > /work/f'",
  "sh -c 'echo a > /work/f'",
  'cp /tmp/a /work/f',
  'cp -r /tmp/a /',
  'cp -t /work /tmp/f',
  'mv /tmp/a /work/f',
  'mv /work/f /tmp/a',
  'mv /work /tmp/a',
  'mv --target-directory=/work /tmp/f',
  'rm -r /work',
  'rm -rf /',
  'rm -- -x/../../work/f',
  'mkdir -p /work/f/g',
  'rmdir /work',
  'tee /work/f',
  'echo a | tee /tmp/a /work/f',
  'echo a | tee -a /work/f',
  'sed -i s/a/b/ /work/f',
  'sed -ni s/a/b/ /work/f',
  'sed --in-place s/a/b/ /work/f',
  'sed $x s/a/b/ /work/f',
  'sed -f /tmp/script /tmp/a',
  `eval "sed 'w /work/f' /tmp/a"`,
  'ln -s /work /tmp/l',
  'ln /work/f /tmp/l',
  'chmod 777 /work/f',
  'sort -o /work/f /tmp/a',
  'sort -uo/work/f /tmp/a',
  'sort --output=/work/f /tmp/a',
  'sort $x /tmp/a',
  'uniq /tmp/a /work/f',
  'uniq /tmp/a $x',
  'tree -o /work/f',
  'find /work -delete',
  'find /work -fprint /work/f',
  'find /work -name f -exec rm {} \\;',
  'find /work -name f -exec rm {} +',
  'find /work -name f -execdir touch f \\;',
  'find /work $x',
  'echo /work/f | xargs rm',
  'echo rm /work/f | xargs env',
  'curl -o /work/f http://localhost',
  `lua -e 'io.open("/work/f", "w")'`,
  'dd of=/work/f',
  'install /tmp/a /work/f',
  'tar -xf /tmp/a -C /work',
  `awk 'BEGIN { print > "/work/f" }'`,
  'mktemp /work/XXXX',
  'env -C /work touch f',
  'truncate -s 0 /work/f',
  'unknown /work/f',
]

/** What `sed` of a machine writes or runs. */
const sedOfMachine = [
  "sed 'w /work/f' /tmp/a",
  "sed -n '1w /work/f' /tmp/a",
  "sed 's/a/b/w /work/f' /tmp/a",
  "sed '1e touch /work/f' /tmp/a",
  "sed 's/.*/touch f/e' /tmp/a",
  "sed 's/a/b/;w /work/f' /tmp/a",
  "sed 's/a/b/\nw /work/f' /tmp/a",
  "sed -n p -e 'w /work/f' /tmp/a",
  "sed p /tmp/a -e 'w /work/f'",
  "sed -ne 'w /work/f' /tmp/a",
  "sed --expression='w /work/f' /tmp/a",
  'sed "$x" /tmp/a',
  'sed p $x',
]

/** What reads, in any case. */
const reads = [
  'cat /work/f',
  'ls -la /work | head -n 3',
  'grep -rn a /work > /dev/null 2>&1',
  'sed -n 1,5p /work/f',
  "sed 's/a/b/' /work/f",
  'find /work -name "*.ts" -exec cat {} \\;',
  'sort -u /work/f | uniq -c',
  'for f in /work/*; do wc -l "$f"; done',
  'x=$(cat /work/f); echo "$x" >&2',
  'cd /work && cat f',
  'echo a | xargs cat',
  'f() { cat "$1"; }; f /work/f',
  'jq . < /work/f',
]

describe.each([
  ['readOnly', readOnly({ except: ['/tmp'] })],
  ['protectPaths', protectPaths(['/work'])],
])('%s', (_name, policy) => {
  it.each(changes)('denies in Strands Shell and jails: %j', async (command) => {
    for (const shell of ['strands', 'jail'] as const)
      expect(await allows(policy, commandCall(command, shell))).toBe(false)
  })

  it.each(sedOfMachine)('denies in jails: %j', async (command) => {
    expect(await allows(policy, commandCall(command, 'jail'))).toBe(false)
  })

  it.each(reads)('allows: %j', async (command) => {
    for (const shell of ['bash', 'strands', 'jail'] as const)
      expect(await verdictOn(policy, commandCall(command, shell))).toBe('allow')
  })

  it.each([
    'echo a > /tmp/a',
    'touch /tmp/a && rm /tmp/a',
    'mkdir -p /tmp/a/b',
    'cp /work/f /tmp/a',
    'echo a | tee /tmp/a',
    'mv /tmp/a /tmp/b',
  ])('allows elsewhere: %j', async (command) => {
    expect(await verdictOn(policy, commandCall(command))).toBe('allow')
  })

  it('takes relative paths from the directory of the call, where no command changes it', async () => {
    expect(await allows(policy, commandCall('echo a > a; touch b', 'strands', '/tmp'))).toBe(true)
    expect(await allows(policy, commandCall('echo a > a', 'strands', 'tmp'))).toBe(false)
    expect(await allows(policy, commandCall('touch ../work/f', 'strands', '/tmp'))).toBe(false)
    expect(await allows(policy, commandCall('cd ..; touch work/f', 'strands', '/tmp'))).toBe(false)
    expect(await allows(policy, commandCall('echo a > f', 'strands', '/work'))).toBe(false)
  })

  it('denies in bash what the text says, and leaves the rest to the engine', async () => {
    expect(await allows(policy, commandCall('echo a > /work/f', 'bash'))).toBe(false)
    expect(await allows(policy, commandCall('echo a > f', 'bash', '/work'))).toBe(false)
    for (const command of ['touch /work/f', 'x=/work/f; echo a > $x', 'eval "$x"', 'echo a > f'])
      expect(await allows(policy, commandCall(command, 'bash'))).toBe(true)
  })

  it('judges file operations by their paths', async () => {
    for (const call of [
      fileCall('write', '/work/f'),
      fileCall('append', '/tmp/../work/f'),
      fileCall('makeDirectory', '/work/d'),
      fileCall('remove', '/work'),
      fileCall('remove', '/'),
      fileCall('move', '/work/f', '/tmp/f'),
      fileCall('move', '/tmp/f', '/work/f'),
      fileCall('copy', '/tmp/f', '/work/f'),
      fileCall('copy', '/tmp/f', '/'),
      fileCall('write', 'f'),
    ])
      expect(await allows(policy, call)).toBe(false)
    for (const call of [
      fileCall('read', '/work/f'),
      fileCall('list', '/work'),
      fileCall('stat', 'f'),
      fileCall('write', '/tmp/f'),
      fileCall('copy', '/work/f', '/tmp/f'),
      fileCall('write', 'f', undefined, 'bash'),
    ])
      expect(await verdictOn(policy, call)).toBe('allow')
  })

  it('denies code of other languages in Strands Shell', async () => {
    expect(await allows(policy, codeCall('x', 'lua'))).toBe(false)
    expect(await allows(policy, codeCall('x', 'python3', 'bash'))).toBe(true)
    expect(await allows(policy, codeCall('touch /work/f', 'sh'))).toBe(false)
  })
})

it('rules hold what the engine refuses', () => {
  expect(readOnly().rules).toEqual({ protectedPaths: ['/'], writablePaths: [] })
  expect(readOnly({ except: ['/tmp/', '/a/./b'] }).rules?.writablePaths).toEqual(['/tmp', '/a/b'])
  expect(protectPaths(['/work/']).rules).toEqual({ protectedPaths: ['/work'], writablePaths: [] })
})

it('of two paths that hold one, the longer decides', async () => {
  const policy = readOnly({ except: ['/work/out'] })
  expect(await allows(policy, fileCall('write', '/work/out/f'))).toBe(true)
  expect(await allows(policy, fileCall('write', '/work/outer'))).toBe(false)
})

it.each([
  ['except', () => readOnly({ except: '/tmp' as never })],
  ['except[0]', () => readOnly({ except: ['tmp'] })],
  ['exept', () => readOnly({ exept: [] } as never)],
  ['paths', () => protectPaths([])],
  ['paths', () => protectPaths('/a' as never)],
  ['paths[1]', () => protectPaths(['/a', ''])],
])('%s is refused where it is not valid', (field, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', field }))
})
