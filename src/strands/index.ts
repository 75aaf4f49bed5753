export type { StrandsOptions, ToolsOptions } from './options.ts'
export { asStrandsSandbox, StrandsSandbox } from './strands-sandbox.ts'
export { type StrandsShellOptions, StrandsShellSandbox } from './strands-shell-sandbox.ts'
