import { type ChildProcess, type ForkOptions, fork, type Serializable } from 'node:child_process'

/**
 * Runs a module in a process of its own without an environment: sends it a message, returns what `read` gets from it,
 * and kills it. `read` must reject when the process reports an error or exits.
 */
export async function runInProcess<Result>(
  module: URL,
  message: Serializable,
  read: (child: ChildProcess) => Promise<Result>,
  options: ForkOptions,
): Promise<Result> {
  const child = fork(module, { env: {}, ...options })
  try {
    const result = read(child)
    // Ignore an error of sending: if the process has ended, `read` gets the reason by its exit. A process that could
    // not be started, e.g. for lack of file descriptors, cannot receive the message, and `read` gets its error. Throw
    // nothing here: before that error, `kill` would end our own process group.
    child.send?.(message, () => undefined)
    return await result
  } finally {
    child.kill('SIGKILL')
  }
}
