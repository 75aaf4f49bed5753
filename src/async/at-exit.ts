const tasks = new Set<() => void>()

function runAll(): void {
  for (const task of tasks) task()
}

/** Runs a function when the process ends by itself or by `process.exit()`. Gives how to forget it. */
export function atExit(task: () => void): () => void {
  if (tasks.size === 0) process.on('exit', runAll)
  tasks.add(task)
  return () => {
    tasks.delete(task)
    if (tasks.size === 0) process.off('exit', runAll)
  }
}
