import { expectTypeOf, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import {
  type SandboxTool,
  type SandboxToolsOptions,
  sandboxTools,
  type ToolId,
} from '../../src/tools/index.ts'

it('tools that are taken apart are tools, and not undefined, as many as are included', () => {
  const ofAll = (sandbox: Sandbox) => sandboxTools(sandbox)
  const ofTwo = (sandbox: Sandbox) => sandboxTools(sandbox, { include: ['shell', 'read_file'] })
  const ofSome = (sandbox: Sandbox, include: ToolId[]) => sandboxTools(sandbox, { include })
  const ofAny = (sandbox: Sandbox, options: SandboxToolsOptions) => sandboxTools(sandbox, options)
  expectTypeOf<ReturnType<typeof ofAll>['length']>().toEqualTypeOf<6>()
  expectTypeOf<ReturnType<typeof ofTwo>>().toEqualTypeOf<[SandboxTool, SandboxTool]>()
  expectTypeOf<ReturnType<typeof ofSome>>().toEqualTypeOf<SandboxTool[]>()
  expectTypeOf<ReturnType<typeof ofAny>>().toEqualTypeOf<SandboxTool[]>()
})
