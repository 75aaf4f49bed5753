import { readdir, readFile } from 'node:fs/promises'
import type { StrandsShellSandbox } from 'strands-shell-runtime'
import type { Claims } from './claims.ts'
import { chapter, showCommand } from './terminal.ts'

const countLines = `cat > /tmp/count.lua <<'END'
-- Reads file names, and counts the lines of the files by directory.
local lines, order = {}, {}
for name in io.read("a"):gmatch("[^\\n]+") do
  local directory = name:match("^src/([^/]+)/") or "src"
  if lines[directory] == nil then lines[directory] = 0; order[#order + 1] = directory end
  local file = io.open(name)
  local _, count = file:read("a"):gsub("\\n", "")
  file:close()
  lines[directory] = lines[directory] + count
end
table.sort(order, function(a, b) return lines[a] > lines[b] end)
for _, directory in ipairs(order) do print(string.format("%6d  %s", lines[directory], directory)) end
END
find src -name '*.ts' | lua /tmp/count.lua`

const writeReport = `{
  echo '# What is in src'
  echo
  echo "$(find src -name '*.ts' | wc -l | tr -d ' ') TypeScript files, of which the errors are:"
  echo
  grep -rh 'extends SandboxError' src | sed -n 's/^.*class \\([A-Za-z]*\\) .*/- \\1/p' | sort
} > /home/lash/report.md
cat /home/lash/report.md`

/** A scripted agent: it searches the sources in its sandbox, and writes a report there. */
export async function searchSources(
  sandbox: StrandsShellSandbox,
  sources: URL,
  claims: Claims,
): Promise<void> {
  chapter('An agent at work', 'Every command runs in the same session, which keeps its directory and files.')
  const say = (command: string) => runAndShow(sandbox, command)

  await say('cd /repo && ls')
  const files = await say("find src -name '*.ts' | sort")
  await say("grep -rn 'FinalizationRegistry' src")
  await say("sed -n 's/^export .* from //p' src/index.ts | sort | uniq")
  const name = await say(`jq -r '"\\(.name) needs \\(.dependencies | keys | join(", "))"' package.json`)
  const counts = await say(countLines)
  const report = await say(writeReport)

  const found = files.stdout.split('\n').filter((line) => line !== '')
  const expected = await typeScriptFiles(sources)
  const manifest: { readonly name: string } = JSON.parse(
    await readFile(new URL('../package.json', sources), 'utf8'),
  )
  claims.check(`find saw all ${expected.length} files of the host`, found.join() === expected.join())
  claims.check('lua counted every line of them', sumOf(counts.stdout) === (await linesOf(expected, sources)))
  claims.check('jq read package.json', name.stdout.startsWith(`${manifest.name} needs `))
  claims.check(
    'the report is a file of the sandbox with the text that the command showed',
    report.exitCode === 0 && (await sandbox.readText('/home/lash/report.md')) === report.stdout,
  )
}

/** Runs a command and prints it with its output and time. */
export async function runAndShow(sandbox: StrandsShellSandbox, command: string) {
  const start = performance.now()
  const result = await sandbox.execute(command)
  showCommand(command, result, performance.now() - start)
  return result
}

async function typeScriptFiles(sources: URL): Promise<string[]> {
  const names = await readdir(sources, { recursive: true })
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name}`)
    .sort()
}

function sumOf(table: string): number {
  return [...table.matchAll(/^ *(\d+) /gm)].reduce((sum, [, count]) => sum + Number(count), 0)
}

async function linesOf(files: readonly string[], sources: URL): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(new URL(`../${file}`, sources), 'utf8')))
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
}
