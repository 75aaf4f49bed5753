import { type Answer, bytes, done, failed, type OwnCommand } from '../../commands/command.ts'
import type { HttpClient } from '../client.ts'
import { tooLarge } from '../failure.ts'
import { readOptions } from './options.ts'
import { transfer } from './transfer.ts'

const USAGE = `Usage: curl [options...] <url>
 -X -H -d --data-raw --data-binary --data-urlencode --json -F -T -G   the request
 -u --oauth2-bearer -A -e -b 'name=value' -r                          its headers
 -L --max-redirs -m --connect-timeout --compressed                    the way
 -s -S -f --fail-with-body -i -I -v -o -O -D -w                       the output
Only the addresses that this sandbox allows can be reached.
`

/** `curl`, over a client. @param maxBody - bytes that a compressed body may grow to, and half of what all bodies together may have. */
export function curl(http: HttpClient, maxBody: number): OwnCommand {
  return {
    name: 'curl',
    async run(args, context) {
      if (args.includes('--help') || args.includes('-h')) return done(USAGE)
      if (args.includes('--version') || args.includes('-V'))
        return done('curl 8 (just-bash)\nProtocols: http https\n')
      const options = readOptions(args)
      if (typeof options === 'string') return failed('curl', options, 2)
      if (options.urls.length === 0) return failed('curl', '(2) no URL specified', 2)
      const parts: Answer[] = []
      let size = 0
      for (const [at, url] of options.urls.entries()) {
        const output = options.outputs[at] ?? (options.flags.has('remote-name-all') ? '' : undefined)
        const part = await transfer({ http, maxBody, options, context }, url, output)
        size += part.stdout.length
        if (size > 2 * maxBody) return failed('curl', `(63) ${tooLarge(2 * maxBody).message}`, 63)
        parts.push(part)
      }
      return {
        ...bytes(parts.map(({ stdout }) => stdout).join(''), parts.at(-1)?.exitCode ?? 0),
        stderr: parts.map(({ stderr }) => stderr).join(''),
      }
    },
  }
}
