import type { Knex } from 'knex'
import { fromKnex, PgBoss } from 'pg-boss'
import type { Static, TObject, TProperties } from 'typebox'
import { directUrl } from '../config/config.ts'
import type { StoreTx } from '../db/store-scope.ts'
import { log } from '../log.ts'
import type { JobDefinition, PlatformJobDefinition } from './define-job.ts'

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
