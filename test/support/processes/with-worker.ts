import { drainJobs } from '#test/support/processes/jobs.ts'

/** Awaits a promise that depends on a worker: runs jobs in this process until it settles. */
export async function withWorker<T>(waiting: Promise<T>): Promise<T> {
  let over = false
  const ended = waiting.finally(() => {
    over = true
  })
  while (!over) await drainJobs()
  return ended
}
