import { setTimeout as pause } from 'node:timers/promises'
import type { Job, PgBoss } from 'pg-boss'
import { HEARTBEAT_SECONDS } from '#shared/platform/jobs/define-job.ts'
import { ANY_QUEUE, type JobNotifications } from '#shared/platform/jobs/pg-boss-internals.ts'
import { log } from '#shared/platform/log.ts'
import { type Handler, type JobData, runJob } from './handle.ts'
import { completeJobs } from './job-completer.ts'

// What a wake-up does not announce (a delayed job, a retry) is found this late at most.
const POLL_MS = 1_000
const LARGEST_FETCH = 100

type FetchedJob = Job<JobData>

interface Running {
  job: FetchedJob
  abort: AbortController
  ended: Promise<void>
}

/** A queue whose jobs this process does. */
export interface JobPoller {
  /** Takes no more, waits for the jobs under way, then aborts what still runs, to be tried again. */
  stop(drainMs: number): Promise<void>
}

/**
 * Does a queue's jobs. Each fetch takes as many as there is room for, they run beside one another, and each is settled
 * as it ends: a slow job holds its own place and nothing else.
 */
export function pollJobs(boss: PgBoss, handler: Handler, wakeUps: JobNotifications): JobPoller {
  const { queue, rules } = handler.job
  const running = new Map<string, Running>()
  const settle = completeJobs(boss, queue)
  let stopping = false
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()

  for (const name of [queue, ANY_QUEUE]) wakeUps.on(name, wake)
  const heartbeat = setInterval(() => sendHeartbeats(boss, queue, running), (HEARTBEAT_SECONDS * 1_000) / 3)
  const loop = take()

  async function take() {
    while (!stopping) {
      woken = Promise.withResolvers<void>()
      const found = await fetchJobs()
      for (const job of found) start(job)
      if (found.length === 0 || running.size >= rules.concurrency)
        await Promise.race([woken.promise, pause(POLL_MS, undefined, { ref: false })])
    }
  }

  async function fetchJobs(): Promise<FetchedJob[]> {
    const batchSize = Math.min(rules.concurrency - running.size, LARGEST_FETCH)
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
        () => settle.done(job),
        (error: Error) => settle.failed(job, error),
      )
      .then(() => {
        const wasShort = isRoomShort(job)
        running.delete(job.id)
        if (wasShort) wake()
      })
    running.set(job.id, { job, abort, ended })
  }

  // Only then may a job wait for this one's end; to look for one after every job would cost a query each.
  function isRoomShort({ data }: FetchedJob): boolean {
    if (running.size >= rules.concurrency) return true
    let ofStore = 0
    for (const { job } of running.values()) if (job.data?.storeId === data?.storeId) ofStore += 1
    return ofStore >= rules.perStore
  }

  return {
    async stop(drainMs) {
      stopping = true
      for (const name of [queue, ANY_QUEUE]) wakeUps.off(name, wake)
      wake()
      await loop
      const ended = Promise.all([...running.values()].map((run) => run.ended))
      await Promise.race([ended, pause(drainMs)])
      for (const { abort } of running.values()) abort.abort(new Error('the worker is stopping'))
      await ended
      clearInterval(heartbeat)
    },
  }
}

/** A handler that does not heed its signal loses its place all the same. */
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

/** Tells the queue that the jobs under way are alive. */
async function sendHeartbeats(boss: PgBoss, queue: string, running: Map<string, Running>): Promise<void> {
  if (running.size === 0) return
  const jobs = [...running.values()].map(({ job }) => job)
  await boss
    .touch(queue, jobs)
    .catch((error) => log.warn({ err: error, queue }, 'could not tell that jobs are alive'))
}
