import { db } from '#shared/platform/db/db.ts'
import { sendRefund } from './jobs.ts'

interface StrandedRefund {
  storeId: string
  refundId: string
}

/** Refunds of all stores that were created before `createdBefore`, are in progress and have no job. */
export async function findStranded(createdBefore: Date): Promise<StrandedRefund[]> {
  const { rows } = await db().raw<{ rows: StrandedRefund[] }>(
    'select store_id as "storeId", refund_id as "refundId" from refunds_in_progress(?)',
    [createdBefore],
  )
  if (rows.length === 0) return []
  const withJob = await refundsWithJob()
  return rows.filter(({ refundId }) => !withJob.has(refundId))
}

async function refundsWithJob(): Promise<Set<string>> {
  const { rows } = await db().raw<{ rows: { refundId: string }[] }>(
    `select data ->> 'refundId' as "refundId" from pgboss.job
     where name = ? and state in ('created', 'retry', 'active')`,
    [sendRefund.queue],
  )
  return new Set(rows.map(({ refundId }) => refundId))
}
