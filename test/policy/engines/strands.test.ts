import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StrandsShellSandbox } from '../../../src/index.ts'
import { allowCommands } from '../../../src/policy/ready-made/allow-commands.ts'
import { protectPaths } from '../../../src/policy/ready-made/protect-paths.ts'
import { isSandboxError } from '../../../src/sandbox/known-error.ts'
import { isFull } from '../../support/tier.ts'
import { allows, commandCall } from '../calls.ts'

/** Parts of hostile commands: quotes and brackets that two parsers may read in two ways. */
const parts = fc.constantFrom(
  ...[
    'touch /work/hit',
    '; touch /work/hit',
    '> /work/hit',
    'echo a',
    'eval ',
    "sh -c '",
    'find /tmp -maxdepth 0 -exec ',
  ],
  ...[
    "'",
    '"',
    '\\',
    '`',
    '$(',
    ')',
    "$'",
    '$"',
    '#',
    '\n',
    ' ',
    ';',
    '|',
    '&&',
    '<<E\n',
    '\nE\n',
    "<<'E'\n",
    '{',
    '}',
  ],
  ...[
    '(',
    '((',
    '))',
    '[[ ',
    ' ]]',
    '${x:-',
    '$x',
    'x=',
    '!',
    '*',
    '~',
    '<<<',
    '\\;',
    ' +',
    '{}',
    'xargs ',
    'env ',
    'f() { ',
    '; }',
  ],
  ...[
    'if ',
    'then ',
    'fi',
    'case a in a) ',
    ';; esac',
    'for i in a; do ',
    'done',
    '\\\n',
    'alias e=',
    'trap ',
    ' EXIT',
    '#a',
    'a#',
  ],
)

const hits = fc.constantFrom('touch /work/hit', '; touch /work/hit', '> /work/hit', 'echo a > /work/hit')

const allowing = allowCommands(['cat', 'find', 'xargs', 'sh', 'env'])
const protecting = protectPaths(['/work'])

it(
  'what both ready-made policies allow in Strands Shell does not do what they deny',
  async () => {
    await using sandbox = await StrandsShellSandbox.open({
      writable: ['/work'],
      timeout: 1,
      onInterrupt: 'reset',
    })
    let ran = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(parts, { maxLength: 5 }),
        hits,
        fc.array(parts, { maxLength: 5 }),
        async (...lists) => {
          const command = lists.flat().join('')
          // The first one does not judge redirects.
          for (const policy of command.includes('>') ? [protecting] : [allowing, protecting]) {
            if (!(await allows(policy, commandCall(command)))) continue
            ran++
            await sandbox.execute(command).catch((error: unknown) => expect(isSandboxError(error)).toBe(true))
            expect(await sandbox.listFiles('/work'), JSON.stringify(command)).toEqual([])
          }
        },
      ),
      { numRuns: isFull ? 200_000 : 500 },
    )
    expect(ran).toBeGreaterThan(0)
  },
  isFull ? 600_000 : 60_000,
)
