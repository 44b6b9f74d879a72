import { hash } from 'node:crypto'
import type { Knex } from 'knex'
import { type Db, fromKnex } from 'pg-boss'
import type { Static, TObject, TProperties } from 'typebox'
import { newId } from '#shared/platform/db/id.ts'
import type { Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { JobDefinition, PlatformJobDefinition } from './define-job.ts'
import { queues } from './sender.ts'

// pg-boss sends the same text for each job of a queue.
const statements = new Map<string, Statement>()

function statementOf(text: string): Statement {
  const known = statements.get(text) ?? { name: `send_${hash('sha256', text, 'base64url')}`, text }
  statements.set(text, known)
  return known
}

/** Prepares pg-boss's inserts in a transaction, because PostgreSQL plans one for longer than it runs it. */
const preparedIn = (tx: StoreTx): Db => ({
  executeSql: async (text, values = []) => ({ rows: await tx.prepared(statementOf(text), values) }),
})

/**
 * Sends a job in the transaction of the change that causes it. So the job exists if and only if the change commits.
 * `startAfter` delays it. `id` sets its id, if the caller stores that. Returns the id.
 *
 * Ids are in the order of time, because pg-boss takes a store's jobs by ascending id. With random ids, new jobs could
 * pass a job with a high id for ever.
 */
export async function enqueue<P extends TProperties>(
  tx: StoreTx,
  job: JobDefinition<P>,
  payload: Static<TObject<P>>,
  { id = newId(), startAfter }: { id?: string; startAfter?: Date } = {},
): Promise<string> {
  const boss = await queues()
  const jobId = await boss.send(
    job.queue,
    { storeId: tx.storeId, ...(payload as object) },
    {
      db: preparedIn(tx),
      group: { id: tx.storeId },
      id,
      ...(startAfter ? { startAfter } : {}),
    },
  )
  if (!jobId) throw new Error(`The queue ${job.queue} refused a job`)
  return jobId
}

/** Sends a platform job. Pass the transaction `knex` if a change in it causes the job. */
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

/** Sends a job of a store without a transaction. */
export async function enqueueWithoutTransaction<P extends TProperties>(
  job: JobDefinition<P>,
  storeId: string,
  payload: Static<TObject<P>>,
): Promise<void> {
  const boss = await queues()
  const data = { storeId, ...(payload as object) }
  if (!(await boss.send(job.queue, data, { group: { id: storeId }, id: newId() })))
    throw new Error(`The queue ${job.queue} refused a job`)
}

/** One of many jobs: its payload, and its id if the caller stores that. */
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
  const rows = jobs.map(({ id = newId(), payload, startAfter }) => ({
    data: { storeId: tx.storeId, ...(payload as object) },
    group: { id: tx.storeId },
    id,
    ...(startAfter ? { startAfter } : {}),
  }))
  await (await queues()).insert(job.queue, rows, { db: preparedIn(tx) })
}
