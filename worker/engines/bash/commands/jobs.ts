import type { ExecResult } from '../just-bash.ts'
import { nextPid } from '../session/depth.ts'
import { type Job, type Jobs, signalled } from '../session/jobs.ts'
import { readSaved } from '../session/save.ts'
import { nameOfSignal, signalOf, signalTable } from '../session/signals.ts'
import { RUN_JOBS, WAIT } from '../transform/background.ts'
import { FORK } from '../transform/fork.ts'
import { type Answer, bytes, done, failed, type OwnCommand } from './command.ts'

/** `__fork pid status functions arrays…` */
export const fork: OwnCommand = {
  name: FORK,
  async run([pid = '', ...state], context, { current, programs, stop }): Promise<Answer> {
    const fork = programs.forking.current
    if (current === undefined || fork === undefined) return failed('bash', 'there is nothing to run', 1)
    const saved = readSaved(state, context, current.state)
    const own = nextPid()
    const child = current.fork(saved, own)
    if (child === undefined)
      return failed('bash', 'fork: more shells inside each other than are known here', 254)
    const run = (stdin: string): Promise<ExecResult> =>
      child.runProgram(fork.program, { signal: stop.signal, stdin })
    if (!fork.background) return run(String(context.stdin))
    const job = current.jobs.add(own, fork.text, fork.slow, () => run(''))
    // In a subshell nothing would run it later.
    if (!fork.atOnce && Number(pid) === current.state.bashPid) return done()
    const { stdout, stderr } = await current.jobs.runPending([job])
    return { ...bytes(stdout), stderr }
  },
}

/** `__jobs`: runs what has not run when a script ends. */
export const runJobs: OwnCommand = {
  name: RUN_JOBS,
  async run(_args, _context, { current }): Promise<Answer> {
    const { stdout, stderr } = (await current?.jobs.runPending()) ?? { stdout: '', stderr: '' }
    return { ...bytes(stdout), stderr }
  },
}

/** Runs the jobs that are named, or all. */
async function runFor(
  jobs: Jobs,
  ids: readonly string[],
  next: boolean,
): Promise<{ stdout: string; stderr: string }> {
  const named = ids.flatMap((id) => jobs.find(id) ?? [])
  if (ids.length === 0) return jobs.runPending(next ? jobs.pending.slice(0, 1) : jobs.pending)
  // What else runs has begun as well. What is slow may be ended before it comes to anything.
  return jobs.runPending(jobs.pending.filter((job) => named.includes(job) || job.slow === false))
}

/** Jobs that `wait -n` has told of. */
const told = new WeakSet<Job>()

/** `wait [-n] [-p name] [id…]` */
export const wait: OwnCommand = {
  name: WAIT,
  async run(args, context, { current }): Promise<Answer> {
    const jobs = current?.jobs
    const words = [...args]
    let [next, variable]: [boolean, string | undefined] = [false, undefined]
    for (let word = words[0]; word !== undefined && /^-./.test(word); word = words[0]) {
      words.shift()
      if (word === '--') break
      if (word === '-n') next = true
      else if (word === '-p') variable = words.shift()
      else if (word !== '-f') return failed('bash', `wait: ${word}: invalid option`, 2)
    }
    const run = jobs === undefined ? { stdout: '', stderr: '' } : await runFor(jobs, words, next)
    const output = (answer: Answer): Answer => ({
      ...bytes(run.stdout, answer.exitCode),
      stderr: run.stderr + answer.stderr,
    })
    const finished = async (job: Job): Promise<Answer> => {
      told.add(job)
      if (variable !== undefined) await context.assignShellVariable?.(variable, String(job.pid))
      return done('', job.status ?? 0)
    }
    if (next) {
      const of = words.length === 0 ? (jobs?.all ?? []) : words.flatMap((word) => jobs?.find(word) ?? [])
      const job = of.find((one) => one.status !== undefined && !told.has(one))
      return output(job === undefined ? done('', 127) : await finished(job))
    }
    if (words.length === 0) for (const job of jobs?.all ?? []) told.add(job)
    let answer: Answer = done()
    for (const word of words) {
      const job = jobs?.find(word)
      if (job !== undefined) answer = await finished(job)
      else
        answer = word.startsWith('%')
          ? failed('bash', `wait: ${word}: no such job`, 127)
          : /^\d+$/.test(word)
            ? failed('bash', `wait: pid ${word} is not a child of this shell`, 127)
            : failed('bash', `wait: \`${word}': not a pid or valid job spec`, 1)
    }
    return output(answer)
  },
}

/** `jobs [-lpr] [id…]`. A job that has ended is shown once. */
export const jobs: OwnCommand = {
  name: 'jobs',
  run(args, _context, { current }) {
    const letters = args.filter((arg) => /^-/.test(arg)).join('')
    if (/[^-lprsn]/.test(letters)) return failed('bash', `jobs: ${letters}: invalid option`, 2)
    const all = (current?.jobs.all ?? []).filter((job) => job.status === undefined || !told.has(job))
    const ids = args.filter((arg) => !/^-/.test(arg))
    const shown = all.filter(
      (job) =>
        (ids.length === 0 || ids.some((id) => current?.jobs.find(id) === job)) &&
        (!letters.includes('r') || job.status === undefined) &&
        !letters.includes('s'),
    )
    if (letters.includes('p')) return done(shown.map(({ pid }) => `${pid}\n`).join(''))
    const lines = shown.map((job) => {
      const place = all.length - 1 - all.indexOf(job)
      const mark = place === 0 ? '+' : place === 1 ? '-' : ' '
      const state = job.status === undefined ? 'Running' : job.status === 0 ? 'Done' : `Exit ${job.status}`
      const pid = letters.includes('l') ? `${job.pid} ` : ' '
      if (job.status !== undefined) told.add(job)
      return `[${job.number}]${mark} ${pid}${state.padEnd(24)}${job.text}${job.status === undefined ? ' &' : ''}\n`
    })
    return done(lines.join(''))
  },
}

/** `kill -l [signal…]`: names of numbers, also of the status that a signal gives, and numbers of names. */
function listed(words: readonly string[]): Answer {
  if (words.length === 0) return done(signalTable())
  const lines = words.map((word) => {
    if (!/^\d+$/.test(word)) return signalOf(word)
    return nameOfSignal(Number(word) > 128 ? Number(word) - 128 : Number(word))
  })
  const wrong = lines.indexOf(undefined)
  if (wrong >= 0) return failed('bash', `kill: ${words[wrong]}: invalid signal specification`)
  return done(lines.map((line) => `${line}\n`).join(''))
}

/** `kill [-signal] id…`: a job that has not run never runs. Nothing else runs beside a command here but the shell itself. */
export const kill: OwnCommand = {
  name: 'kill',
  async run(args, _context, { current }): Promise<Answer> {
    const words = [...args]
    let signal: number | undefined = 15
    if (words[0] === '-l' || words[0] === '-L') return listed(words.slice(1))
    if (/^-[sn]$/.test(words[0] ?? '')) signal = signalOf(words.splice(0, 2)[1] ?? '')
    else if (/^-[A-Za-z0-9]/.test(words[0] ?? '')) signal = signalOf((words.shift() ?? '').slice(1))
    if (words[0] === '--') words.shift()
    if (signal === undefined) return failed('bash', `kill: ${args[0]}: invalid signal specification`)
    if (words.length === 0)
      return failed('bash', 'kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec', 2)
    let [stdout, stderr] = ['', '']
    for (const word of words) {
      const job = current?.jobs.find(word)
      if (job?.status === undefined && job !== undefined) {
        if (signal !== 0) job.status = signalled(signal)
        // Whoever asks again waits for it.
        else if (job.asked) ({ stdout, stderr } = await (current?.jobs.runPending() ?? { stdout, stderr }))
        else job.asked = true
      } else if (current?.isNamed(word) === true) current.interruptions.send(signal)
      else stderr += `bash: kill: (${word}) - No such process\n`
    }
    return { ...bytes(stdout, stderr === '' ? 0 : 1), stderr }
  },
}

/** A job goes on anyway. */
export const disown: OwnCommand = { name: 'disown', run: () => done() }
