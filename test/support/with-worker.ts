import { drainJobs } from './jobs.ts'

/** Awaits something that a worker must help to end: jobs are done in this process until it has. */
export async function withWorker<T>(waiting: Promise<T>): Promise<T> {
  let over = false
  const ended = waiting.finally(() => {
    over = true
  })
  while (!over) await drainJobs()
  return ended
}
