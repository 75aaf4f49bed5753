import { describe, expect, it } from 'vitest'
import { JailSandbox } from '../../src/jail/index.ts'
import { noJails } from '../support/jail.ts'
import { isFull } from '../support/tier.ts'

const commands: readonly (readonly [name: string, command: string, stdout: string])[] = [
  ['a loop', 'while :; do :; done', ''],
  ['a pipeline that is followed by more', 'echo a; sleep 30 | cat; echo b', 'a\n'],
  ['a bare sleep', 'sleep 30', ''],
  ['a sleep in a subshell', '(sleep 30)', ''],
  ['a wait for a job', 'sleep 30 & wait', ''],
  ['a program that ignores SIGTERM', `trap "" TERM; perl -e '$SIG{TERM} = "IGNORE"; sleep 30'`, ''],
  ['a program that stands still', 'kill -STOP $BASHPID', ''],
  ['a tree of processes', 'for i in 1 2 3; do (sleep 30 & sleep 30) & done; wait', ''],
  ['a read without end', 'tail -f /dev/null', ''],
]

describe.skipIf(noJails !== undefined)('the time limit of a jail', () => {
  it.each(isFull ? commands : commands.slice(0, 2))(
    'ends %s with exit code 124, and keeps the session',
    async (_, command, stdout) => {
      await using sandbox = await JailSandbox.open({ timeout: 3 })
      await sandbox.execute('kept=yes; cd /tmp')
      const result = await sandbox.execute(command)
      expect(result).toMatchObject({ exitCode: 124, stdout, timedOut: true })
      expect(result.stderr).toBe('bash: stopped after 3 s\n')
      const left = 'ps -e -o stat= -o comm= | grep -v ^Z | grep -c sleep'
      expect((await sandbox.execute(`echo $kept; pwd; ${left}`)).stdout).toBe('yes\n/tmp\n0\n')
      expect(sandbox.generation).toBe(1)
    },
  )
})
