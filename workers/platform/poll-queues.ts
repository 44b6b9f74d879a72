import { setTimeout as pause } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { JobNotifications } from '#shared/platform/jobs/pg-boss-internals.ts'
import { findDueQueues } from '#shared/platform/jobs/waiting-jobs.ts'
import { log } from '#shared/platform/log.ts'
import type { Handler } from './handle.ts'
import { type JobPoller, QueuePoller } from './job-poller.ts'

// Delayed jobs and retries send no notification. They start at most this long after they are due.
const INTERVAL_MS = 1_000

/**
 * Runs the jobs of several queues in this process. It fetches from a queue when a job is added, and when the queue has
 * due jobs. One statement looks for due jobs in all queues.
 */
export function pollQueues(
  boss: PgBoss,
  handlers: readonly Handler[],
  notifications: JobNotifications,
): JobPoller {
  const pollers = handlers.map((handler) => new QueuePoller(boss, handler, notifications))
  const queues = handlers.map(({ job }) => job.queue)
  const stopped = new AbortController()
  const watching = watch()

  async function watch() {
    while (!stopped.signal.aborted) {
      await pause(INTERVAL_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => {})
      if (!stopped.signal.aborted) for (const queue of await dueQueues(queues)) notifications.emit(queue)
    }
  }

  return {
    async stop(drainMs) {
      stopped.abort()
      await Promise.all([watching, ...pollers.map((poller) => poller.stop(drainMs))])
    },
  }
}

async function dueQueues(queues: string[]): Promise<string[]> {
  try {
    return await findDueQueues(queues)
  } catch (error) {
    log.error({ err: error }, 'could not look for due jobs')
    return []
  }
}
