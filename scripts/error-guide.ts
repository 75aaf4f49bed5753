import type { ErrorCode, LossCode } from '../src/contract/errors.ts'

/** What a user is told of an error: sentences in Markdown, without a full stop. */
export interface ErrorGuide {
  readonly meaning: string
  readonly cause: string
  readonly retry: string
  readonly advice: string
}

/** The guide of one of the classes that share a code. */
interface ErrorClassGuide extends ErrorGuide {
  /** The name of the class, as it is exported. */
  readonly errorClass: string
}

/** Every error code. A code without a row does not compile; the tables of docs/errors.md are written from this. */
export const errorGuide: Readonly<Record<ErrorCode, readonly [ErrorClassGuide, ...ErrorClassGuide[]]>> = {
  TIMEOUT: [
    {
      errorClass: 'SandboxTimeoutError',
      meaning: "the call's own `timeout` passed",
      cause:
        'the command and the calls before it take longer than the caller waits; `stdout` and `stderr` hold the output so far (empty for the native shell)',
      retry: 'with more time',
      advice:
        "raise `timeout`, or lower `config.timeout` so that the engine ends commands itself. Under `onInterrupt: 'keep'` the command runs on and later calls wait for it; under `'reset'` the session is retired",
    },
  ],
  ABORTED: [
    {
      errorClass: 'SandboxAbortError',
      meaning: "the call's `signal` was aborted; `cause` is its reason",
      cause: 'the caller aborted it',
      retry: 'as you like',
      advice: 'as for `TIMEOUT`: the command may run on. `stdout` and `stderr` hold what had come',
    },
  ],
  PATH_NOT_FOUND: [
    {
      errorClass: 'SandboxPathNotFoundError',
      meaning: 'a path does not exist, or is not a directory where one is needed; `path` names it',
      cause: 'a wrong path, or a file of a session that was lost since',
      retry: 'no',
      advice: 'list the directory that should hold it; bind what the sandbox is to see',
    },
  ],
  PERMISSION_DENIED: [
    {
      errorClass: 'SandboxPermissionError',
      meaning: 'a path is read-only, or outside every place the sandbox may write; `path` names it',
      cause: 'a read-only bind, or a path such as `/etc` that no bind covers',
      retry: 'no',
      advice: 'write to `/tmp`, `/home/lash`, `/workspace` or a writable bind',
    },
  ],
  LIMIT_EXCEEDED: [
    {
      errorClass: 'SandboxLimitError',
      meaning: 'a cap was passed; `limit` and `value` name it',
      cause: 'a file, a bind or a queue of calls larger than its cap',
      retry: 'smaller, or with a higher cap',
      advice: 'raise the option that `limit` names, or await calls before you make more (`maxPending`)',
    },
  ],
  IO_ERROR: [
    {
      errorClass: 'SandboxIoError',
      meaning: 'anything else that a file operation met; `path` names the file',
      cause: 'the path is a directory, say, or the medium failed: the message says which',
      retry: 'depends',
      advice: 'read the message and `cause`',
    },
  ],
  MIRROR_FAILED: [
    {
      errorClass: 'MirrorError',
      meaning:
        'not all that changed in a writable `direct` bind reached the host, or not all that `applyChanges()` was to write; `written` and `pending` (each with `path` and `reason`) name the paths',
      cause:
        'the disk is full, the service may not write there, or the host put something else in the place. `exitCode`, `stdout` and `stderr` hold the result of the command that ran',
      retry: 'the pending rest, by itself at the next call, or with `applyChanges()`; not the command',
      advice: 'remove what each `reason` names, then make any call or `applyChanges()`',
    },
  ],
  INVALID_CONFIG: [
    {
      errorClass: 'SandboxConfigError',
      meaning: 'a config or an argument was refused; `field` names it',
      cause: 'a wrong type, an unknown field, a value out of range, options that exclude each other',
      retry: 'no',
      advice: 'correct the field; nothing has run',
    },
  ],
  CLOSED: [
    {
      errorClass: 'SandboxClosedError',
      meaning: 'the sandbox was closed before the call or during it',
      cause:
        "your `close()` or `await using`, its host's `drain()`, `idleTimeout` or `maxLifetime`, or its host was closed before. A call that runs as its host is closed is lost: `WORKER_LOST`",
      retry: 'on a new sandbox',
      advice: 'open a new one; `getOrOpen(id, config)` does where its host goes on',
    },
  ],
  WORKER_LOST: [
    {
      errorClass: 'WorkerLostError',
      meaning: 'the session ended under the call; files and variables are gone',
      cause: 'see below: `cause.code` says how it ended',
      retry: 'yes: the next call opens a fresh session',
      advice:
        'put back the files that the work needs (binds come back by themselves); do not run again what also acted outside the sandbox. For hostile input use cells',
    },
  ],
  MEMORY_LIMIT: [
    {
      errorClass: 'MemoryLimitError',
      meaning:
        "the session's cell was ended for its memory, or its worker ran out of heap; extends `WorkerLostError`",
      cause:
        'its sandboxes together held more than `maxCellMemory`, or more than fits into the heap of their worker',
      retry: 'with less, or a higher `maxCellMemory` or `limits.maxMemory`',
      advice: 'lower `sandboxesPerCell`, so that one cannot take its neighbours along',
    },
  ],
  HOST_SATURATED: [
    {
      errorClass: 'HostSaturatedError',
      meaning: 'no place for a sandbox in time; `saturation` says how full the host is',
      cause:
        '`maxSandboxes`, `maxCells`, `maxQueued`, `maxRetired` or a quota of its tenant reached, or `openTimeout` passed while it waited; `saturation.reached` names the options',
      retry: 'later',
      advice:
        'close sandboxes, refuse requests (HTTP 503), or raise the bound that `saturation.reached` names',
    },
  ],
  UNSUPPORTED: [
    {
      errorClass: 'UnsupportedError',
      meaning: 'this sandbox cannot do that; the message says why and what can',
      cause: 'a method that this kind of sandbox does not have, or a synchronous call at the wrong moment',
      retry: 'no',
      advice: 'use what the message names',
    },
  ],
  ENGINE_UNAVAILABLE: [
    {
      errorClass: 'EngineUnavailableError',
      meaning: 'there is no engine for this machine',
      cause:
        'its package is not installed or has no build for the platform, glibc is too old, or no safe directory can hold a copy',
      retry: 'after installing what it names',
      advice: 'run `npx strands-shell-runtime doctor`',
    },
  ],
  PROTOCOL: [
    {
      errorClass: 'ProtocolError',
      meaning: 'the far side answered something that is not of the contract; the session is retired',
      cause: 'worker and package of different versions, a foreign `workerUrl`, or a cell that was taken over',
      retry: 'yes, on a fresh session',
      advice:
        'build and install both from one version; else report it, with the output of `npx strands-shell-runtime doctor --json`',
    },
  ],
  CONNECTION_FAILED: [
    {
      errorClass: 'SandboxConnectionError',
      meaning:
        'a shell behind a command cannot be reached, or the way to it was lost; `started` says whether the command may have run',
      cause: 'a missing or failing client program, a refused connection, a stopped container',
      retry: 'yes where `started` is false',
      advice:
        'the message holds what the client said; where `started` is true, look at what the command did first',
    },
  ],
  INVALID_SNAPSHOT: [
    {
      errorClass: 'SnapshotError',
      meaning: 'a snapshot was refused; `fault` says what is wrong with it',
      cause:
        'bytes that are cut or altered, a missing or another key, a bound of `limits`, or another version of the package',
      retry: 'no',
      advice:
        'read the message. Take the bytes from where they were stored again, or open the sandbox without them',
    },
  ],
  STALE_FENCE: [
    {
      errorClass: 'StaleFenceError',
      meaning:
        'a snapshot was not stored; `fence` is not above `seen`, the highest number that the store has seen for its id',
      cause: 'another process has stored the session since, with a higher number',
      retry: 'no',
      advice: 'let go of the session: the other process has it. Take it up again from the store',
    },
  ],
  CLUSTER_UNAVAILABLE: [
    {
      errorClass: 'ClusterUnavailableError',
      meaning:
        'the cluster could not say in time who has the session, or who could take it. The call has not begun',
      cause:
        'Redis is out of reach, slow or out of memory, or no node is there that has the labels and drains not',
      retry: 'yes',
      advice: 'read the message: it says what Redis answered. [cluster.md](cluster.md#when-redis-fails)',
    },
  ],
}

/** Every way a session is lost, as {@link errorGuide} has the errors. */
export const lossGuide: Readonly<Record<LossCode, ErrorGuide>> = {
  WORKER_EXITED: {
    meaning: 'the worker thread exited or was terminated',
    cause: 'something ended the thread',
    retry: 'yes',
    advice: 'call again: the next session begins as `onLost` says',
  },
  WORKER_FAILED: {
    meaning: 'the worker threw, or could not start',
    cause:
      'a failure that no guard covers, or a process without room for one more: threads (`ulimit -u`, a limit of pids), files (`ulimit -n`) or address space',
    retry: 'yes; without room later, or after the limit was raised',
    advice: 'look at the message; `npx strands-shell-runtime doctor` tries a worker',
  },
  HEAP_EXHAUSTED: {
    meaning: 'the worker ran out of JavaScript heap: a `MemoryLimitError`',
    cause: 'outputs or files too large for it',
    retry: 'with less',
    advice:
      'raise `limits.maxMemory` of a `BashSandbox`; else lower `limits.maxOutput` and `limits.mirrorMaxBytes`, or write to a file and read parts',
  },
  ENGINE_PANIC: {
    meaning: 'the engine panicked: a bug of it that no guard covers',
    cause: 'the command: the same one most often panics again',
    retry: 'with another command',
    advice:
      'write the command differently ([engine.md](engine.md) has the known ones); report one that it does not have, with the output of `npx strands-shell-runtime doctor --json`',
  },
  DEADLINE_IGNORED: {
    meaning:
      'the engine ran on past its own deadline by more than two seconds; in a bash session also: a command ran on for two seconds after its caller gave up',
    cause: 'a command that the engine never interrupts, or a machine that stood still',
    retry: 'with another command',
    advice:
      'avoid it ([engine.md](engine.md)); a bash session goes on ([bash.md](bash.md#what-survives)); a native command is ended at once in a cell of its own, elsewhere it runs on and counts against `maxRetired`',
  },
  RESET: {
    meaning: 'the session was retired because a call on it was interrupted',
    cause: "`onInterrupt: 'reset'` and another call's timeout or signal",
    retry: 'yes',
    advice: "make such calls one after another, or use `'keep'`",
  },
  PROTOCOL: {
    meaning: 'the worker or the cell sent what is not of the contract',
    cause: 'as for the error `PROTOCOL`, met by another call or by none',
    retry: 'yes',
    advice: 'as for the error `PROTOCOL`',
  },
  CELL_EXITED: {
    meaning:
      'the cell ended by itself, or could not be started: the message names the signal or exit code, `output` has what it printed last',
    cause:
      "a command that crashes the engine, of this sandbox or of a neighbour in the cell; the system's memory killer",
    retry: 'once; if it is lost again, not that command',
    advice: '`sandboxesPerCell: 1` for what you do not trust, so that it takes nobody along',
  },
  CELL_STALLED: {
    meaning: 'the cell did not answer any more and was ended',
    cause: 'the machine is overloaded, or the cell was stopped or taken over',
    retry: 'later',
    advice: 'lower `maxRunning`, or give the machine more cores',
  },
  CELL_KILLED: {
    meaning: 'the cell was ended because `maxRetired` retired sessions of the host still ran a command',
    cause: 'many timeouts, aborts or ignored deadlines',
    retry: 'yes',
    advice: 'lower `config.timeout`, so that the engine ends commands itself',
  },
  NODE_LOST: {
    meaning: 'the node of a cluster that had the session is gone, or another one has taken the session',
    cause: 'the process was killed or stopped, its machine failed, or it could not renew its lease',
    retry: 'yes, but what the call had changed may be there',
    advice: 'call again: another node goes on from the last checkpoint. [cluster.md](cluster.md)',
  },
  HOST_CLOSED: {
    meaning: 'the host was closed while a call ran',
    cause: 'your `close()` of the host, or the end of the grace of its `drain()`',
    retry: 'on another host',
    advice: 'close sandboxes before their host, or wait for their calls',
  },
  CELL_MEMORY: {
    meaning: 'the cell held more than `maxCellMemory` and was ended: a `MemoryLimitError`',
    cause: 'as for `MEMORY_LIMIT`',
    retry: 'with less',
    advice: 'as for `MEMORY_LIMIT`',
  },
}
