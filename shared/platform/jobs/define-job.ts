import { type Static, type TObject, type TProperties, Type } from 'typebox'

/** The settings of a queue. */
export interface QueueRules {
  /** Retries of a failed job before it becomes a dead letter. */
  retries: number
  /** Pause before the first retry; doubles up to `retryDelayMaxSeconds`. */
  retryDelaySeconds: number
  retryDelayMaxSeconds: number
  /** Must be longer than the handler's own deadline, or the job runs twice at once. */
  expireInSeconds: number
  /** Concurrent jobs of one process. */
  concurrency: number
  /**
   * Concurrent jobs of one store, over all processes: at most a quarter of `concurrency`, so that one store cannot
   * starve the others. It is not exact: two processes that fetch at the same time may exceed it by a few.
   */
  perStore: number
}

/** A kind of job that belongs to a store. */
export interface JobDefinition<P extends TProperties = TProperties> {
  scope: 'store'
  queue: string
  payload: TObject<P & { storeId: ReturnType<typeof Type.String> }>
  rules: QueueRules
}

/** A kind of job that belongs to no store, such as a scheduled one. */
export interface PlatformJobDefinition<P extends TProperties = TProperties> {
  scope: 'platform'
  queue: string
  payload: TObject<P>
  rules: QueueRules
}

export type AnyJobDefinition = JobDefinition | PlatformJobDefinition

/** The payload that the job's handler gets. */
export type JobPayload<J> =
  J extends JobDefinition<infer P>
    ? Static<TObject<P>> & { storeId: string }
    : J extends PlatformJobDefinition<infer P>
      ? Static<TObject<P>>
      : never

const DEFAULTS: QueueRules = {
  retries: 8,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 600,
  expireInSeconds: 60,
  concurrency: 8,
  perStore: 2,
}

/** Seconds after which a running job without a heartbeat of its worker is retried. */
export const HEARTBEAT_SECONDS = 15

/** The queue of jobs that are out of retries, kept for an operator to inspect and redrive. */
export const DEAD_LETTERS = 'dead-letters'

/** Declares a kind of job of a store. Its payload always has `storeId` besides the given properties. */
export function defineJob<P extends TProperties>(
  queue: string,
  properties: P,
  rules: Partial<QueueRules> = {},
): JobDefinition<P> {
  const payload = Type.Object(
    { storeId: Type.String(), ...properties },
    { additionalProperties: false },
  ) as unknown as JobDefinition<P>['payload']
  return { scope: 'store', queue, payload, rules: { ...DEFAULTS, ...rules } }
}

/** Declares a kind of job that belongs to no store. */
export function definePlatformJob<P extends TProperties>(
  queue: string,
  properties: P,
  rules: Partial<QueueRules> = {},
): PlatformJobDefinition<P> {
  const payload = Type.Object(properties, { additionalProperties: false }) as TObject<P>
  return { scope: 'platform', queue, payload, rules: { ...DEFAULTS, ...rules } }
}
