import type { Tool, ToolContext, ToolStreamGenerator } from '@strands-agents/sdk'
import type { Sandbox } from '../sandbox/sandbox.ts'
import {
  describeFiles,
  describeNetwork,
  describeShell,
  describeTime,
  joinParts,
} from '../tools/descriptions.ts'
import { oneEditAtATime } from '../tools/edit-order.ts'
import { inputObject } from '../tools/input-object.ts'
import { timeoutField } from '../tools/timeout-field.ts'
import { type ToolKit, toolKit } from '../tools/tool-kit.ts'
import { z } from '../tools/zod.ts'
import { clipResult } from './clip-result.ts'
import type { ResolvedTools } from './options.ts'
import { DEFAULT_FILE_EDITOR_DESCRIPTION, makeFileEditor, makeShell, sdk } from './sdk.ts'
import { ToolView } from './tool-view.ts'

/** The SDK's own shell and editor, on a sandbox. */
export function agentTools(sandbox: Sandbox, { bash, editor, shape }: ResolvedTools): Tool[] {
  const kit = toolKit(sandbox, shape)
  return [editorTool(kit, editor), shellTool(kit, bash)]
}

function shellTool(kit: ToolKit, name: string): Tool {
  const { summary, options } = kit
  const description = joinParts(
    describeShell(summary),
    describeTime(summary, options.timeout),
    describeFiles(summary),
    describeNetwork(summary),
    options.about,
  )
  const inputSchema = inputObject({
    command: z.string().describe('The command; it may have several lines.'),
    timeout: timeoutField(kit),
  })
  const make = (view?: ToolView) => makeShell(view, { name, description, inputSchema })
  return new ViewingTool(make(), ({ toolUse, cancelSignal }) => {
    const timeout = timeoutOf(toolUse.input) ?? options.timeout
    return make(new ToolView(kit, { signal: cancelSignal, timeout }))
  })
}

function editorTool(kit: ToolKit, name: string): Tool {
  const { sandbox, summary, options } = kit
  const description = joinParts(
    `${DEFAULT_FILE_EDITOR_DESCRIPTION} create makes new files only.`,
    describeFiles(summary),
    options.about,
  )
  const make = (view?: ToolView) => makeFileEditor(view, { name, description })
  return new ViewingTool(
    make(),
    ({ cancelSignal }) => make(new ToolView(kit, { signal: cancelSignal, timeout: undefined })),
    async (stream) => clipResult(await oneEditAtATime(sandbox, () => lastOf(stream)), options.maxCharacters),
  )
}

type Result = Awaited<ReturnType<ToolStreamGenerator['next']>>
type ResultBlock = Extract<Result, { done: true }>['value']

/** A tool of the SDK that is made anew for each call, so that it has a view with the call's own signal. */
class ViewingTool extends sdk.Tool {
  readonly name: string
  readonly description: string
  readonly toolSpec: Tool['toolSpec']
  readonly #make: (context: ToolContext) => Tool
  readonly #finish: (stream: ToolStreamGenerator) => Promise<ResultBlock>

  constructor(
    model: Tool,
    make: (context: ToolContext) => Tool,
    finish: (stream: ToolStreamGenerator) => Promise<ResultBlock> = lastOf,
  ) {
    super()
    this.name = model.name
    this.description = model.description
    this.toolSpec = model.toolSpec
    this.#make = make
    this.#finish = finish
  }

  // biome-ignore lint/correctness/useYield: neither of the SDK's tools reports progress.
  override async *stream(context: ToolContext): ToolStreamGenerator {
    return await this.#finish(this.#make(context).stream(context))
  }
}

async function lastOf(stream: ToolStreamGenerator): Promise<ResultBlock> {
  for (;;) {
    const step = await stream.next()
    if (step.done === true) return step.value
  }
}

function timeoutOf(input: unknown): number | undefined {
  if (typeof input !== 'object' || input === null || !('timeout' in input)) return undefined
  return typeof input.timeout === 'number' ? input.timeout : undefined
}
