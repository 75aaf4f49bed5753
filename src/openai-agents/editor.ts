import type { ApplyPatchOperation, ApplyPatchResult, Editor } from '@openai/agents'
import { SandboxError, SandboxPathNotFoundError } from '../sandbox/errors.ts'
import { errorMessage } from '../sandbox/kinds.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { applyDiff } from './peer.ts'

type Operation<Type extends ApplyPatchOperation['type']> = Extract<ApplyPatchOperation, { type: Type }>

/**
 * Makes the editor of a sandbox, for `applyPatchTool({ editor: sandboxEditor(sandbox) })`. A patch that does not fit, and
 * a path that the sandbox refuses, are a `failed` result that says why. A file that exists is not created again,
 * and one that is not UTF-8 text is not changed.
 */
export function sandboxEditor(sandbox: Sandbox): Editor {
  return {
    createFile: ({ path, diff }: Operation<'create_file'>) =>
      outcomeOf(async () => {
        if (await exists(sandbox, path)) throw new PatchError(`${path} exists already. Update it instead.`)
        await sandbox.writeText(path, patched('', diff, 'create'))
        return `Created ${path}.`
      }),
    updateFile: ({ path, diff, moveTo }: Operation<'update_file'>) =>
      outcomeOf(async () => {
        const content = patched(await readUtf8(sandbox, path), diff, 'default')
        if (moveTo === undefined || moveTo === path) {
          await sandbox.writeText(path, content)
          return `Updated ${path}.`
        }
        if (await exists(sandbox, moveTo)) throw new PatchError(`${moveTo} exists already.`)
        await sandbox.writeText(moveTo, content)
        await sandbox.removeFile(path)
        return `Updated ${path} and moved it to ${moveTo}.`
      }),
    deleteFile: ({ path }: Operation<'delete_file'>) =>
      outcomeOf(async () => {
        await sandbox.removeFile(path)
        return `Deleted ${path}.`
      }),
  }
}

/** A patch that cannot be applied; the message is for the model. */
class PatchError extends Error {}

async function outcomeOf(operation: () => Promise<string>): Promise<ApplyPatchResult> {
  try {
    return { status: 'completed', output: await operation() }
  } catch (error) {
    if (!(error instanceof PatchError || error instanceof SandboxError)) throw error
    return { status: 'failed', output: error.message }
  }
}

function patched(content: string, diff: string, mode: 'create' | 'default'): string {
  try {
    const text = applyDiff(content, diff, mode)
    return mode === 'create' && text !== '' && !text.endsWith('\n') ? `${text}\n` : text
  } catch (cause) {
    const reason = errorMessage(cause)
    throw new PatchError(`The diff does not fit: ${reason}`, { cause })
  }
}

async function exists(sandbox: Sandbox, path: string): Promise<boolean> {
  try {
    await sandbox.readFile(path)
    return true
  } catch (error) {
    if (error instanceof SandboxPathNotFoundError) return false
    throw error
  }
}

async function readUtf8(sandbox: Sandbox, path: string): Promise<string> {
  const bytes = await sandbox.readFile(path)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new PatchError(`${path} is not UTF-8 text.`, { cause })
  }
}
