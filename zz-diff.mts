import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ShellHost } from '/tmp/wt/globs/dist/src/index.js'
import { random } from '/tmp/wt/globs/test/worker/engines/strands/mirror/effects-grammar.ts'
import { randomScript } from '/tmp/wt/globs/test/worker/engines/strands/translate/random-script.ts'
const host = new ShellHost({ isolation: 'worker' })
const [from, count] = process.argv.slice(2).map(Number)
const REFUSED = /^strands-shell: (?:.* is not available here: .*|division by 0)$/m
let same = 0, refused = 0; const reasons = new Map(); const bad = []
for (let seed = from; seed < from + count; seed++) {
  const started = performance.now()
  const script = randomScript(random(seed))
  const sb = await host.open({ timeout: 20 })
  const r = await sb.execute(script).catch(e => ({ exitCode: 'X' + e.code, stdout: '', stderr: e.message }))
  await sb.close()
  const dir = mkdtempSync(join(tmpdir(), 'differential-'))
  const b = spawnSync('/bin/bash', ['--norc', '-c', script], { cwd: dir, encoding: 'utf8', timeout: 5000, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: dir } })
  if (performance.now() - started > 1500) console.log('slow', seed, Math.round(performance.now() - started), process.uptime())
  rmSync(dir, { recursive: true, force: true })
  if (r.exitCode === b.status && r.stdout === b.stdout) same++
  else if (r.exitCode === 2 && REFUSED.test(r.stderr)) { refused++; const why = REFUSED.exec(r.stderr)[0]; reasons.set(why, (reasons.get(why) ?? 0) + 1) }
  else bad.push({ seed, script, bash: b.status, bout: b.stdout, berr: b.stderr, ours: r.exitCode, out: r.stdout, err: r.stderr })
}
console.log({ same, refused, bad: bad.length })
console.log([...reasons].sort((a, b) => b[1] - a[1]).slice(0, 15))
writeFileSync('/tmp/g/bad.json', JSON.stringify(bad, null, 1))
function firstDiff(a, b) { const x = a.split('\n'), y = b.split('\n'); for (let i = 0; i < Math.max(x.length, y.length); i++) if (x[i] !== y[i]) return [x[i], y[i]]; return 'status' }
for (const one of bad.slice(0, Number(process.env.SHOW ?? 25))) console.log(one.seed, one.bash, one.ours, JSON.stringify(firstDiff(one.bout, one.out)), '|', one.berr.split('\n')[0].slice(0, 110), '|', one.err.split('\n').slice(0, 2).join(' / ').slice(0, 160))
process.exit(0)
