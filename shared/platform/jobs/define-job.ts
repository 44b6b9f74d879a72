import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { Uuid } from '#shared/platform/http/schema.ts'

/** The settings of a queue. */
export interface QueueRules {
  /** How often a failed job is retried before it becomes a dead letter. */
  retries: number
  /** The pause before the first retry. It doubles with each retry, up to `retryDelayMaxSeconds`. */
  retryDelaySeconds: number
  retryDelayMaxSeconds: number
  /**
   * The job is retried after this time. It must be longer than the handler's own deadline, or the job runs twice at the
   * same time.
   */
  expireInSeconds: number
  /** The most concurrent jobs of one process. */
  concurrency: number
  /**
   * The most concurrent jobs of one store, over all processes. It is at most a quarter of `concurrency`, so that one
   * store cannot starve the others. Two processes that fetch at the same time may exceed it by a few.
   */
  perStore: number
}

/** A kind of job that belongs to a store. */
export interface JobDefinition<P extends TProperties = TProperties> {
  scope: 'store'
  queue: string
  payload: TObject<P & { storeId: typeof Uuid }>
  rules: QueueRules
}

/**
 * A kind of job that belongs to no store, such as a scheduled one. No limit per store applies to it, so requests may
 * enqueue only short jobs of such a kind.
 */
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

/** A running job is retried this many seconds after the last heartbeat of its worker. */
export const HEARTBEAT_SECONDS = 15

/** The queue of jobs without retries left. An operator can inspect and redrive them. */
export const DEAD_LETTERS = 'dead-letters'

/** Declares a kind of job of a store. Its payload always has `storeId` besides the given properties. */
export function defineJob<P extends TProperties>(
  queue: string,
  properties: P,
  rules: Partial<QueueRules> = {},
): JobDefinition<P> {
  const payload = Type.Object(
    { storeId: Uuid, ...properties },
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
