// A process under Node's permission model: prints how openings go, and the flags that an error names.
import { type Isolation, SandboxError, ShellHost } from '../../../src/index.ts'
import { codesOf } from '../matrix/system-faults.ts'

type Shell = 'bash' | 'jail' | 'strands'

const subjects: readonly (readonly [Isolation, Shell])[] = JSON.parse(process.argv[2] ?? '')

async function wordOf(isolation: Isolation, shell: Shell): Promise<string> {
  const host = new ShellHost({ isolation })
  try {
    const sandbox = await (shell === 'bash'
      ? host.open({ shell })
      : shell === 'jail'
        ? host.open({ shell })
        : host.open())
    return (await sandbox.execute('echo open')).stdout.trim()
  } catch (error) {
    if (!(error instanceof SandboxError)) return `raw ${String(error)}`
    return [codesOf(error), ...(error.message.match(/--allow-[a-z-]+(?=`)/g) ?? [])].join(' ')
  } finally {
    await host.close()
  }
}

const words: string[] = []
for (const [isolation, shell] of subjects) words.push(await wordOf(isolation, shell))
console.log(JSON.stringify(words))
