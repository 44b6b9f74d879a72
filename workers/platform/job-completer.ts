import type { Job, PgBoss } from 'pg-boss'
import { log } from '#shared/platform/log.ts'

type Attempt = Pick<Job, 'id' | 'retryCount'>

/** Tells a queue how its jobs ended. Both resolve when the queue knows. */
export interface JobCompleter {
  done(job: Attempt): Promise<void>
  failed(job: Attempt, error: Error): Promise<void>
}

interface Batch {
  jobs: Attempt[]
  told: Promise<void>
}

/**
 * Settles each job as it ends. What ends while the queue is being told of others is told next, in one statement, so
 * the cost of a job falls as the load rises. A settlement that fails is logged: the job's heartbeat ends with it, and
 * it is tried again.
 */
export function completeJobs(boss: PgBoss, queue: string): JobCompleter {
  let next: Batch | undefined
  let last: Promise<void> = Promise.resolve()

  const logged = (settlement: Promise<unknown>): Promise<void> =>
    settlement.then(
      () => {},
      (error) => log.error({ err: error, queue }, 'could not settle jobs'),
    )

  function open(): Batch {
    const jobs: Attempt[] = []
    const told = last.then(() => {
      next = undefined
      return logged(boss.complete(queue, jobs))
    })
    last = told
    return { jobs, told }
  }

  return {
    done(job) {
      next ??= open()
      next.jobs.push(job)
      return next.told
    },
    failed: (job, error) => logged(boss.fail(queue, job, { message: error.message })),
  }
}
