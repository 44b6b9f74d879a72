import type { Job } from 'pg-boss'
import { Check } from 'typebox/schema'
import { CodedError } from '#shared/platform/errors.ts'
import type { AnyJobDefinition, JobPayload } from '#shared/platform/jobs/define-job.ts'
import { log } from '#shared/platform/log.ts'
import { jobSeconds } from './metrics.ts'

/** What a handler knows besides its payload. */
export interface JobRun {
  jobId: string
  /** 0 at the first try. */
  retry: number
  /** Aborts when the job's time is up: outside calls obey it. */
  signal: AbortSignal
}

export interface Handler {
  job: AnyJobDefinition
  run(payload: unknown, run: JobRun): Promise<void>
}

/** Ties a kind of job to the verb that does it. Running it twice must be harmless. */
export function handle<J extends AnyJobDefinition>(
  job: J,
  work: (payload: JobPayload<J>, run: JobRun) => Promise<unknown>,
): Handler {
  return {
    job,
    async run(payload, run) {
      if (!Check(job.payload, payload)) throw new Error(`A job in ${job.queue} has a payload it cannot read`)
      await work(payload as JobPayload<J>, run)
    },
  }
}

/** What is known of a job's payload before it is checked. */
export type JobData = { storeId?: string }

/** Runs one job with its log line and measurement. An error is passed on, made safe for the queue to keep. */
export async function runJob(handler: Handler, job: Job<JobData>): Promise<void> {
  const { queue } = handler.job
  const entry = log.child({ jobId: job.id, queue, storeId: job.data?.storeId })
  const started = performance.now()
  try {
    await handler.run(job.data, { jobId: job.id, retry: job.retryCount, signal: job.signal })
    jobSeconds.labels(queue, 'done').observe((performance.now() - started) / 1000)
    entry.info({ ms: Math.round(performance.now() - started) }, 'job done')
  } catch (error) {
    jobSeconds.labels(queue, 'failed').observe((performance.now() - started) / 1000)
    const expected = error instanceof CodedError
    entry[expected ? 'warn' : 'error']({ err: error, retry: job.retryCount }, 'job failed')
    throw new Error(storable(error))
  }
}

const LONGEST = 2_000

// The queue keeps the message as jsonb, which takes neither NUL nor half a surrogate pair.
const storable = (error: unknown): string =>
  String((error as Error)?.message ?? error)
    .replaceAll('\0', '')
    .toWellFormed()
    .slice(0, LONGEST)
