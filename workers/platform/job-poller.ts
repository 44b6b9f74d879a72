import { setTimeout as pause } from 'node:timers/promises'
import type { Job, PgBoss } from 'pg-boss'
import { HEARTBEAT_SECONDS } from '#shared/platform/jobs/define-job.ts'
import { ANY_QUEUE, type JobNotifications } from '#shared/platform/jobs/pg-boss-internals.ts'
import { log } from '#shared/platform/log.ts'
import { type Handler, type JobData, runJob } from './handle.ts'
import { createJobCompleter } from './job-completer.ts'
import { jobsRunning } from './metrics.ts'

const MAX_FETCH = 100

// A fetch costs as much as a small job. In a busy queue, one fetch takes all that was added or became possible
// meanwhile.
const BUSY_MS = 5

type FetchedJob = Job<JobData>

interface Running {
  job: FetchedJob
  abort: AbortController
  ended: Promise<void>
}

/** Fetches and runs the jobs of one queue in this process. */
export interface JobPoller {
  /** Stops fetching, waits up to `drainMs` for running jobs, then aborts the rest, which the queue retries. */
  stop(drainMs: number): Promise<void>
}

/**
 * Runs the jobs of a queue: fetches at the start and after each notification of the queue, as many jobs as the
 * concurrency allows. They run in parallel and each is completed as it ends, so a slow job occupies only its own place.
 */
export function pollJobs(boss: PgBoss, handler: Handler, notifications: JobNotifications): JobPoller {
  const { queue, rules } = handler.job
  const running = new Map<string, Running>()
  const completer = createJobCompleter(boss, queue)
  let stopping = false
  jobsRunning.set({ queue }, 0)
  let notified = Promise.withResolvers<void>()
  const notify = () => notified.resolve()

  for (const name of [queue, ANY_QUEUE]) notifications.on(name, notify)
  const heartbeat = setInterval(() => sendHeartbeats(boss, queue, running), (HEARTBEAT_SECONDS * 1_000) / 3)
  const loop = poll()

  async function poll() {
    while (!stopping) {
      notified = Promise.withResolvers<void>()
      const found = await fetchJobs()
      for (const job of found) start(job)
      if (found.length > 0 && running.size < rules.concurrency) continue
      await notified.promise
      if (running.size > 0 && !stopping) await pause(BUSY_MS)
    }
  }

  async function fetchJobs(): Promise<FetchedJob[]> {
    const batchSize = Math.min(rules.concurrency - running.size, MAX_FETCH)
    if (batchSize <= 0) return []
    try {
      return await boss.fetch<JobData>(queue, { batchSize, groupConcurrency: rules.perStore })
    } catch (error) {
      log.error({ err: error, queue }, 'could not fetch jobs')
      return []
    }
  }

  function start(job: FetchedJob) {
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(rules.expireIn * 1_000)])
    const ended = runUntilAborted(handler, { ...job, signal })
      .then(
        () => completer.complete(job),
        (error: Error) => completer.fail(job, error),
      )
      .then(() => {
        const wasAtLimit = isAtLimit(job)
        running.delete(job.id)
        jobsRunning.dec({ queue })
        if (wasAtLimit) notify()
      })
    running.set(job.id, { job, abort, ended })
    jobsRunning.inc({ queue })
  }

  // Another job waits for this one's end only at a limit. Fetching after every job would cost a query each time.
  function isAtLimit({ data }: FetchedJob): boolean {
    if (running.size >= rules.concurrency) return true
    let ofStore = 0
    for (const { job } of running.values()) if (job.data?.storeId === data?.storeId) ofStore += 1
    return ofStore >= rules.perStore
  }

  return {
    async stop(drainMs) {
      stopping = true
      for (const name of [queue, ANY_QUEUE]) notifications.off(name, notify)
      notify()
      await loop
      const ended = Promise.all([...running.values()].map((run) => run.ended))
      await Promise.race([ended, pause(drainMs)])
      for (const { abort } of running.values()) abort.abort(new Error('the worker is stopping'))
      await ended
      clearInterval(heartbeat)
    },
  }
}

/** Runs a job until it ends or is aborted, even when the handler ignores its signal. */
async function runUntilAborted(handler: Handler, job: FetchedJob): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(job.signal.reason)
  job.signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([runJob(handler, job), aborted.promise])
  } finally {
    job.signal.removeEventListener('abort', onAbort)
  }
}

/** Reports to the queue that the running jobs are alive. */
async function sendHeartbeats(boss: PgBoss, queue: string, running: Map<string, Running>): Promise<void> {
  if (running.size === 0) return
  const jobs = [...running.values()].map(({ job }) => job)
  await boss
    .touch(queue, jobs)
    .catch((error) => log.warn({ err: error, queue }, 'could not send heartbeats of jobs'))
}
