import { DRIVER, STATE } from './places.ts'

/**
 * The first program of a jail. It keeps a server of files, and one shell after another: each reads its lines from the same
 * pipe, byte by byte, so that the next one goes on with the next line. Descriptor 0 has the lines of the shell, 3 those of the
 * server, which begins with the first of them.
 *
 * @param shell - the command that starts the shell, without its input.
 * @param before - lines that it begins with.
 */
export const supervisorScript = (shell: string, before: string): string => `
${before}
exec 7<&0 8<&3 0</dev/null 1>/dev/null 2>&1 3<&-
cd /
(read -r begin && exec sh -s) <&8 7<&- 8<&- &
exec 8<&-
state=${DRIVER}/start
while :; do
  ${shell} <&7 7<&-
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
