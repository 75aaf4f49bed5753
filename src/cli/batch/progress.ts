import type { Output } from '../output.ts'

/** Tells how far a batch is, and writes beside that. */
export interface Progress {
  /** A line was read. */
  read(): void
  /** A result was told. */
  told(failed: boolean): void
  write(output: Output, text: string): Promise<void>
  end(): void
}

/** No progress but the results themselves. */
export const noProgress: Progress = {
  read: () => undefined,
  told: () => undefined,
  write: (output, text) => output.write(text),
  end: () => undefined,
}

/** A bar on standard error, which is a terminal. Without a total it grows with what is read. */
export async function progressBar(total: number | undefined): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress')
  const left = total === undefined ? '' : ', {eta_formatted} left'
  const counts = { read: 0, told: 0, failed: 0 }
  const bars = new cliProgress.MultiBar({
    stream: process.stderr,
    format: `[{bar}] {value}/{total} jobs, {failed} failed${left}`,
    barsize: 30,
    linewrap: null,
    hideCursor: null,
    forceRedraw: true,
    emptyOnZero: true,
    // A signal ends the process at once.
    gracefulExit: false,
  })
  const bar = bars.create(total ?? 0, 0, { failed: 0 })
  return {
    read: () => {
      counts.read += 1
      if (total === undefined) bar.setTotal(counts.read)
    },
    told: (failed) => {
      counts.told += 1
      if (failed) counts.failed += 1
      bar.update(counts.told, { failed: counts.failed })
    },
    write: async (output, text) => {
      // Where both streams are one terminal the bar makes way for the text.
      process.stderr.write('\r\u001b[K')
      await output.write(text)
      bars.update()
    },
    end: () => bars.stop(),
  }
}
