import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineJob } from '#shared/platform/jobs/define-job.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { holdWaitingJob } from '#shared/platform/jobs/waiting-jobs.ts'

/**
 * The job that erases persons from a store's stored responses, so that no request waits for it. One scan erases all
 * persons whose erasure was requested before it started.
 */
export const eraseResponses = defineJob(
  'erase-responses',
  {},
  { concurrency: 4, perStore: 1, expireInSeconds: 3600 },
)

/**
 * Deletes the stored responses to a person's own requests, and enqueues the erasure of the person from the responses to
 * others. The idempotency keys of others stay, so that their repeats do not make a change again.
 */
export async function eraseResponsesAbout(
  tx: StoreTx,
  { principal, personId, recordIds }: { principal: string; personId: string; recordIds: readonly string[] },
): Promise<void> {
  await tx.knex('idempotency_keys').where({ store_id: tx.storeId, principal }).delete()
  const erasure = { store_id: tx.storeId, id: newId(), person_id: personId, record_ids: [...recordIds] }
  await tx.knex('response_erasures').insert(erasure)
  if (!(await holdWaitingJob(tx, eraseResponses))) await enqueue(tx, eraseResponses, {})
}
