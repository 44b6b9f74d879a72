import { setTimeout as pause } from 'node:timers/promises'
import type { Job, PgBoss } from 'pg-boss'
import { HEARTBEAT_SECONDS } from '#shared/platform/jobs/define-job.ts'
import { ANY_QUEUE, type JobNotifications } from '#shared/platform/jobs/pg-boss-internals.ts'
import { log } from '#shared/platform/log.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { createJobCompleter, type JobCompleter } from './create-job-completer.ts'
import { type Handler, type JobData, runJob } from './handle.ts'
import { jobsRunning } from './metrics.ts'
import { StoreRound } from './store-round.ts'

const MAX_FETCH = 100

// The pause between fetches of a busy queue. A fetch costs as much as a small job, so one fetch takes all jobs of this
// time.
const BUSY_MS = 5

type FetchedJob = Job<JobData>

interface Running {
  job: FetchedJob
  abort: AbortController
  ended: Promise<void>
}

/** Fetches and runs jobs in this process. */
export interface JobPoller {
  /** Stops fetching, and waits up to `drainMs` for running jobs. Aborts the rest, which the queue retries. */
  stop(drainMs: number): Promise<void>
}

/**
 * Runs the jobs of a queue in this process. It fetches at the start and after each notification, as many jobs as the
 * concurrency allows. Jobs run in parallel, and each is completed when it ends, so a slow job delays no other.
 */
export class QueuePoller implements JobPoller {
  readonly #boss: PgBoss
  readonly #handler: Handler
  readonly #notifications: JobNotifications
  readonly #completer: JobCompleter
  readonly #running = new Map<string, Running>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #loop: Promise<void>
  #notified = Promise.withResolvers<void>()
  #isStopping = false

  constructor(boss: PgBoss, handler: Handler, notifications: JobNotifications) {
    this.#boss = boss
    this.#handler = handler
    this.#notifications = notifications
    this.#completer = createJobCompleter(boss, this.#queue)
    jobsRunning.set({ queue: this.#queue }, 0)
    for (const name of [this.#queue, ANY_QUEUE]) notifications.on(name, this.#notify)
    this.#heartbeat = setInterval(() => this.#sendHeartbeats(), (HEARTBEAT_SECONDS * 1_000) / 3)
    this.#loop = this.#poll()
  }

  async stop(drainMs: number): Promise<void> {
    this.#isStopping = true
    for (const name of [this.#queue, ANY_QUEUE]) this.#notifications.off(name, this.#notify)
    this.#notify()
    await this.#loop
    const ended = Promise.all([...this.#running.values()].map((run) => run.ended))
    await Promise.race([ended, pause(drainMs)])
    for (const { abort } of this.#running.values()) abort.abort(new Error('the worker is stopping'))
    await ended
    clearInterval(this.#heartbeat)
  }

  get #queue(): string {
    return this.#handler.job.queue
  }

  readonly #notify = () => this.#notified.resolve()

  async #poll(): Promise<void> {
    const round = new StoreRound()
    while (!this.#isStopping) {
      this.#notified = Promise.withResolvers<void>()
      const { concurrency } = this.#handler.job.rules
      const batchSize = Math.min(concurrency - this.#running.size, MAX_FETCH)
      if (batchSize > 0) {
        const found = await this.#fetchJobs(batchSize, round.visited)
        for (const job of found) this.#start(job)
        const mayFindMore = round.visit(found, batchSize)
        if (mayFindMore && this.#running.size < concurrency) continue
      }
      await this.#notified.promise
      if (this.#running.size > 0 && !this.#isStopping) await pause(BUSY_MS)
    }
  }

  async #fetchJobs(batchSize: number, ignoreGroups: string[]): Promise<FetchedJob[]> {
    const groupConcurrency = this.#handler.job.rules.perStore
    try {
      return await this.#boss.fetch<JobData>(this.#queue, { batchSize, groupConcurrency, ignoreGroups })
    } catch (error) {
      log.error({ err: error, queue: this.#queue }, 'could not fetch jobs')
      return []
    }
  }

  #start(job: FetchedJob): void {
    const abort = new AbortController()
    // `AbortSignal.timeout` would keep the signal of each job in memory until then, an hour for some.
    const expire = () => abort.abort(new DOMException('the job has expired', 'TimeoutError'))
    const expiry = setTimeout(expire, this.#handler.job.rules.expireInSeconds * SECOND_MS)
    const ended = runUntilAborted(this.#handler, { ...job, signal: abort.signal })
      .finally(() => clearTimeout(expiry))
      .then(
        () => this.#completer.complete(job),
        (error: Error) => this.#completer.fail(job, error),
      )
      .then(() => this.#end(job))
    this.#running.set(job.id, { job, abort, ended })
    jobsRunning.inc({ queue: this.#queue })
  }

  #end(job: FetchedJob): void {
    const wasAtLimit = this.#isAtLimit(job)
    this.#running.delete(job.id)
    jobsRunning.dec({ queue: this.#queue })
    if (wasAtLimit) this.#notify()
  }

  // Only at a limit does another job wait for the end of this one. Fetching after every job would cost a query each
  // time.
  #isAtLimit({ data }: FetchedJob): boolean {
    const { concurrency, perStore } = this.#handler.job.rules
    if (this.#running.size >= concurrency) return true
    let ofStore = 0
    for (const { job } of this.#running.values()) if (job.data?.storeId === data?.storeId) ofStore += 1
    return ofStore >= perStore
  }

  /** Reports to the queue that the running jobs are alive. */
  async #sendHeartbeats(): Promise<void> {
    if (this.#running.size === 0) return
    const jobs = [...this.#running.values()].map(({ job }) => job)
    await this.#boss
      .touch(this.#queue, jobs)
      .catch((error) => log.warn({ err: error, queue: this.#queue }, 'could not send heartbeats of jobs'))
  }
}

/** Runs a job until it ends or is aborted, even if the handler ignores its signal. */
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
