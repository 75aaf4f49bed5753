/** What helps where the system has no more of something, by the name of its error. */
export const EXHAUSTION_REMEDIES: Readonly<Record<string, string>> = {
  EAGAIN:
    'This user, or this container, may start no further thread or process: raise `ulimit -u` or the limit of pids, or open fewer sandboxes.',
  EMFILE:
    'This process may open no further file: raise `ulimit -n`, or close files, connections or sandboxes.',
  ENFILE: 'The system may open no further file: raise `fs.file-max`, or close files.',
  ENOMEM: 'There is no memory left: raise the limit (`ulimit -v`, the container), or open fewer sandboxes.',
}

/** The system's errors that say that there is no more of something. */
export const EXHAUSTION_CODES: readonly string[] = Object.keys(EXHAUSTION_REMEDIES)
