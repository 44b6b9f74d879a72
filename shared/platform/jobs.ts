import type { Knex } from 'knex'
import { fromKnex, PgBoss } from 'pg-boss'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { directUrl } from './config.ts'
import { log } from './log.ts'
import type { StoreTx } from './store-scope.ts'

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

let sender: Promise<PgBoss> | undefined

/** The process's connection to the queues, for sending. */
export function queues(): Promise<PgBoss> {
  sender ??= startSender()
  return sender
}

async function startSender(): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: directUrl(),
    application_name: `${process.env.PROCESS_NAME ?? 'commerce'}-queues`,
    max: 2,
    migrate: false,
    supervise: false,
    schedule: false,
    useListenNotify: true,
  })
  boss.on('error', (error) => log.error({ err: error }, 'queue connection failed'))
  return boss.start()
}

/** Ends the sender, at the end of a process or of a test file. */
export async function closeQueues(): Promise<void> {
  const closing = sender
  sender = undefined
  await (await closing)?.stop({ graceful: false })
}

/**
 * Sends a job inside the transaction of the change it follows from: it exists if, and only if, that change commits.
 * `startAfter` delays it; `id` names it, where the caller keeps the name.
 */
export async function enqueue<P extends TProperties>(
  tx: StoreTx,
  job: JobDefinition<P>,
  payload: Static<TObject<P>>,
  { id, startAfter }: { id?: string; startAfter?: Date } = {},
): Promise<string> {
  const boss = await queues()
  const taken = await boss.send(
    job.queue,
    { storeId: tx.storeId, ...(payload as object) },
    {
      db: fromKnex(tx.knex),
      group: { id: tx.storeId },
      ...(id ? { id } : {}),
      ...(startAfter ? { startAfter } : {}),
    },
  )
  if (!taken) throw new Error(`The queue ${job.queue} did not take a job`)
  return taken
}

/** Sends a job of the platform: in a transaction of the platform where it follows from a change there. */
export async function enqueueForPlatform<P extends TProperties>(
  job: PlatformJobDefinition<P>,
  payload: Static<TObject<P>>,
  { knex, id }: { knex?: Knex; id?: string } = {},
): Promise<void> {
  const boss = await queues()
  const options = { ...(knex ? { db: fromKnex(knex) } : {}), ...(id ? { id } : {}) }
  if (!(await boss.send(job.queue, payload as object, options)))
    throw new Error(`The queue ${job.queue} did not take a job`)
}

/** A job among many: its payload, and its id where the caller keeps one. */
export interface BulkJob<P extends TProperties> {
  id?: string
  payload: Static<TObject<P>>
  startAfter?: Date
}

/** Sends many jobs of one kind, in one statement, inside the transaction of the change they follow from. */
export async function enqueueAll<P extends TProperties>(
  tx: StoreTx,
  job: JobDefinition<P>,
  jobs: BulkJob<P>[],
): Promise<void> {
  if (jobs.length === 0) return
  const rows = jobs.map(({ id, payload, startAfter }) => ({
    data: { storeId: tx.storeId, ...(payload as object) },
    group: { id: tx.storeId },
    ...(id ? { id } : {}),
    ...(startAfter ? { startAfter } : {}),
  }))
  await (await queues()).insert(job.queue, rows, { db: fromKnex(tx.knex) })
}
