import type { Job, PgBoss } from 'pg-boss'
import { retryDeadlocks } from '#shared/platform/db/retry-deadlocks.ts'
import { log } from '#shared/platform/log.ts'

type Attempt = Pick<Job, 'id' | 'retryCount'>

/** Reports ended jobs to a queue. Both methods resolve once the queue has recorded them. */
export interface JobCompleter {
  complete(job: Attempt): Promise<void>
  fail(job: Attempt, error: Error): Promise<void>
}

interface Batch {
  jobs: Attempt[]
  recorded: Promise<void>
}

/**
 * Completes each job when it ends. Jobs that end during a statement are completed together by the next one, so each job
 * costs less under load. A failed statement is logged. Then the heartbeats of its jobs end, and the queue retries them.
 * After a deadlock it runs again: heartbeats update the same rows in another sequence.
 */
export function createJobCompleter(boss: PgBoss, queue: string): JobCompleter {
  let next: Batch | undefined
  let last: Promise<void> = Promise.resolve()

  const record = (statement: () => Promise<unknown>): Promise<void> =>
    retryDeadlocks(statement).then(
      () => {},
      (error) => log.error({ err: error, queue }, 'could not complete jobs'),
    )

  function open(): Batch {
    const jobs: Attempt[] = []
    const recorded = last.then(() => {
      next = undefined
      return record(() => boss.complete(queue, jobs))
    })
    last = recorded
    return { jobs, recorded }
  }

  return {
    complete(job) {
      next ??= open()
      next.jobs.push(job)
      return next.recorded
    },
    fail: (job, error) => record(() => boss.fail(queue, job, { message: error.message })),
  }
}
