/**
 * The file descriptor of a cell that its channel runs over: `stdio: ['ignore', …, …, 'pipe']` gives the host the
 * other end as `child.stdio[3]`. It is a pipe of its own and not Node's IPC channel: Node deserialises what comes
 * over that one before it can be checked, so that a few bytes of a hostile child end the process of its parent.
 */
export const CELL_CHANNEL_FD = 3

/** The descriptor at which a cell reads long contents, where its host has a file for them. The one before is that of a jail's filter. */
export const CELL_CONTENTS_FD = 5

/** The first descriptor of the pipes that threads of a cell have to its host. */
export const CELL_THREADS_FD = 6

/** So many threads of a cell have a pipe, at most: each pipe takes a descriptor of the host. */
export const MOST_THREAD_PIPES = 8
