import { appendFileSync } from 'node:fs'

const file = process.env.JOBS_RUN_TWICE

/**
 * Whether each job runs again after its success, as when a worker dies before the queue learns of it. `npm run
 * test:jobs-twice` runs the tests like this.
 */
export const RUNS_TWICE = file !== undefined

/** Records for `npm run test:jobs-twice` that a job of the queue ran. */
export function recordRun(queue: string): void {
  if (file) appendFileSync(file, `${queue}\n`)
}
