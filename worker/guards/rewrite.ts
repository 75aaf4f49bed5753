export function rewriteCommand(command: string): string {
  return command
}
