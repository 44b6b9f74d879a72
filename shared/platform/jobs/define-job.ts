import { type Static, type TObject, type TProperties, Type } from 'typebox'

/** How a queue behaves: every figure of it stands here and nowhere else. Times in seconds. */
export interface QueueRules {
  /** How many more times a failed job is tried before it goes to the dead letter queue. */
  retries: number
  /** First pause between tries; doubles up to `retryDelayMax`. */
  retryDelay: number
  retryDelayMax: number
  /** Longer than the handler's own total deadline, or the job would run twice at once. */
  expireIn: number
  /** Jobs of one process at a time. */
  concurrency: number
  /**
   * Jobs of one store at a time, over all processes, so that one store cannot starve the others. Two processes that
   * fetch in the same instant may pass it by a few: it shares out, it does not lock.
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

/** A kind of job of the whole platform: what the clock starts, and what walks over the stores. */
export interface PlatformJobDefinition<P extends TProperties = TProperties> {
  scope: 'platform'
  queue: string
  payload: TObject<P>
  rules: QueueRules
}

export type AnyJobDefinition = JobDefinition | PlatformJobDefinition

/** What a handler of the job is given. */
export type JobPayload<J> =
  J extends JobDefinition<infer P>
    ? Static<TObject<P>> & { storeId: string }
    : J extends PlatformJobDefinition<infer P>
      ? Static<TObject<P>>
      : never

const DEFAULTS: QueueRules = {
  retries: 8,
  retryDelay: 2,
  retryDelayMax: 600,
  expireIn: 60,
  concurrency: 4,
  perStore: 4,
}

/** A running job whose worker has not been heard of for this long is tried again. Seconds. */
export const HEARTBEAT_SECONDS = 15

/** Where jobs go whose tries are used up: kept for a person to look at and drive again. */
export const DEAD_LETTERS = 'dead-letters'

/** Declares a kind of job. Its payload carries `storeId` besides the given properties, always. */
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
