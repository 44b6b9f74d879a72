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
  /** Jobs of one store at a time, over all processes, so that one store cannot starve the others. */
  perStore: number
}

export interface JobDefinition<P extends TProperties = TProperties> {
  queue: string
  payload: TObject<P & { storeId: ReturnType<typeof Type.String> }>
  rules: QueueRules
}

export type JobPayload<J> =
  J extends JobDefinition<infer P> ? Static<TObject<P>> & { storeId: string } : never

const DEFAULTS: QueueRules = {
  retries: 8,
  retryDelay: 2,
  retryDelayMax: 600,
  expireIn: 60,
  concurrency: 4,
  perStore: 4,
}

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
  return { queue, payload, rules: { ...DEFAULTS, ...rules } }
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
 * `startAfter` delays it.
 */
export async function enqueue<P extends TProperties>(
  tx: StoreTx,
  job: JobDefinition<P>,
  payload: Static<TObject<P>>,
  { startAfter }: { startAfter?: Date } = {},
): Promise<string> {
  const boss = await queues()
  const id = await boss.send(
    job.queue,
    { storeId: tx.storeId, ...(payload as object) },
    {
      db: fromKnex(tx.knex),
      group: { id: tx.storeId },
      ...(startAfter ? { startAfter } : {}),
    },
  )
  if (!id) throw new Error(`The queue ${job.queue} did not take a job`)
  return id
}
