import type { Knex } from 'knex'
import { fromKnex, PgBoss } from 'pg-boss'
import type { Static, TObject, TProperties } from 'typebox'
import { directUrl } from '../config/config.ts'
import type { StoreTx } from '../db/store-scope.ts'
import { log } from '../log.ts'
import type { JobDefinition, PlatformJobDefinition } from './define-job.ts'

let sender: Promise<PgBoss> | undefined

/** The process's connection for sending jobs. */
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

/** Closes the connection at the end of a process or a test file. */
export async function closeQueues(): Promise<void> {
  const closing = sender
  sender = undefined
  await (await closing)?.stop({ graceful: false })
}

/**
 * Sends a job in the transaction of the change that causes it: the job exists if and only if the change commits.
 * `startAfter` delays it; `id` sets its id, where the caller stores it. Returns the id.
 */
export async function enqueue<P extends TProperties>(
  tx: StoreTx,
  job: JobDefinition<P>,
  payload: Static<TObject<P>>,
  { id, startAfter }: { id?: string; startAfter?: Date } = {},
): Promise<string> {
  const boss = await queues()
  const jobId = await boss.send(
    job.queue,
    { storeId: tx.storeId, ...(payload as object) },
    {
      db: fromKnex(tx.knex),
      group: { id: tx.storeId },
      ...(id ? { id } : {}),
      ...(startAfter ? { startAfter } : {}),
    },
  )
  if (!jobId) throw new Error(`The queue ${job.queue} refused a job`)
  return jobId
}

/** Sends a platform job; in the transaction `knex`, where a change there causes it. */
export async function enqueueForPlatform<P extends TProperties>(
  job: PlatformJobDefinition<P>,
  payload: Static<TObject<P>>,
  { knex, id }: { knex?: Knex; id?: string } = {},
): Promise<void> {
  const boss = await queues()
  const options = { ...(knex ? { db: fromKnex(knex) } : {}), ...(id ? { id } : {}) }
  if (!(await boss.send(job.queue, payload as object, options)))
    throw new Error(`The queue ${job.queue} refused a job`)
}

/** One of many jobs: its payload, and its id where the caller stores it. */
export interface BulkJob<P extends TProperties> {
  id?: string
  payload: Static<TObject<P>>
  startAfter?: Date
}

/** Sends many jobs of one kind in one statement, in the transaction of the change that causes them. */
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
