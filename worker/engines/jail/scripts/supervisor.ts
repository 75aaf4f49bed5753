import type { Interpreter } from '../interpreters/interpreter.ts'
import { DRIVER, STATE } from './places.ts'

/**
 * The first program of a jail. It keeps a server of files, and one shell after another: each reads its lines from the same
 * pipe or file, so that the next one goes on with the next line. Descriptor 3 has the lines of the server, which begins with the
 * first of them.
 *
 * @param shell - the command that starts the shell, without its input, and what it reads: descriptor 0, or the file of lines.
 * @param before - lines that it begins with.
 */
export const supervisorScript = (
  { command, reads }: Pick<Interpreter, 'command' | 'reads'>,
  before: string,
): string => `
${before}
exec 7<${reads === 'pipe' ? '&0' : `${DRIVER}/lines`} 8<&3 0</dev/null 1>/dev/null 2>&1 3<&-
cd /
(read -r begin && exec sh -s) <&8 7<&- 8<&- &
exec 8<&-
state=${DRIVER}/start
while :; do
  ${command} <&7 7<&-
  status=$?
  if [ -e ${STATE}/done ]; then
    mv -f ${STATE}/new ${STATE}/state
    read -r kept <${STATE}/done
    rm -f ${STATE}/done
    state=${STATE}/state
  else
    rm -f ${STATE}/new
    state=${DRIVER}/start kept=nothing
  fi
  printf '\\0E\\0%s\\0%s\\0' "$status" "$kept" >${DRIVER}/status
done
`
