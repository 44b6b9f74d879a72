import type { Job } from 'pg-boss'
import { Check } from 'typebox/schema'
import { CodedError } from '#shared/platform/errors.ts'
import type { AnyJobDefinition, JobPayload } from '#shared/platform/jobs/define-job.ts'
import { log } from '#shared/platform/log.ts'
import { jobSeconds } from './metrics.ts'

/** The context of a running job. */
export interface JobRun {
  jobId: string
  /** 0 at the first attempt. */
  retry: number
  /** Aborts when the job expires or the worker stops. Pass it to outside calls without a time-out. */
  signal: AbortSignal
}

export interface Handler {
  job: AnyJobDefinition
  run(payload: unknown, run: JobRun): Promise<void>
}

/** Defines the handler of a job. It must be idempotent, because a job can run twice. */
export function handle<J extends AnyJobDefinition>(
  job: J,
  work: (payload: JobPayload<J>, run: JobRun) => Promise<unknown>,
): Handler {
  return {
    job,
    async run(payload, run) {
      if (!Check(job.payload, payload)) throw new Error(`A job in ${job.queue} has an invalid payload`)
      await work(payload as JobPayload<J>, run)
    },
  }
}

/** A job's payload before its validation. */
export type JobData = { storeId?: string }

/** Runs one job, logs and measures it. Rethrows an error with a message that the queue can store. */
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

const MAX_MESSAGE_LENGTH = 2_000

// The queue stores the message as jsonb, which refuses NUL and lone surrogates.
const storable = (error: unknown): string =>
  String((error as Error)?.message ?? error)
    .replaceAll('\0', '')
    .slice(0, MAX_MESSAGE_LENGTH)
    .toWellFormed()
