import { claimKeys } from '#shared/imports/claimed-keys.ts'
import type { Batch } from '#shared/imports/file/read-batches.ts'
import { lockImport } from '#shared/imports/import-job.ts'
import { ImportMustWait } from '#shared/imports/import-must-wait.ts'
import { recordImportProgress } from '#shared/imports/record-import-progress.ts'
import { hasMailBacklog } from '#shared/mail/mail-backlog.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { lockKnownCustomers } from './known-customers.ts'
import { type CustomerPlan, planCustomer } from './plan-customer.ts'
import type { CustomerFileSettings, CustomerRow } from './read-customer-row.ts'
import { saveCustomers } from './save-customers.ts'

const BACKLOG_PAUSE_MS = 10 * SECOND_MS

/**
 * Imports a batch of the file: saves the customers, and records faults and progress. Returns false without a change if
 * another worker has already imported this batch. Throws `ImportMustWait` if it would send invitations while the store
 * has a backlog of mails.
 */
export async function importCustomerBatch(
  tx: StoreTx,
  jobId: string,
  batch: Batch<CustomerRow>,
  { header }: CustomerFileSettings,
): Promise<boolean> {
  const job = await lockImport(tx, jobId, batch)
  if (!job) return false

  const { sendsInvitations = false } = job.settings
  // The mails of a large file would wait in the queue for hours, and delay those of other stores.
  if (sendsInvitations && (await hasMailBacklog(tx)))
    throw new ImportMustWait('The store has a backlog of mails', BACKLOG_PAUSE_MS)
  const known = await lockKnownCustomers(tx, job, batch.groups)
  const planned = [...batch.groups.values()].map((rows) => planCustomer(rows, known, header))
  const plans = planned.flatMap(({ plan }) => plan ?? [])
  if (!job.dryRun) await saveCustomers(tx, plans, { sendsInvitations })
  await claimKeys(
    tx,
    jobId,
    plans.map(({ row: { emailNormalized, line } }) => ({
      key: emailNormalized,
      record: emailNormalized,
      line,
      details: {},
    })),
  )
  const notes = [...batch.faults, ...planned.flatMap((one) => one.notes)]
  await recordImportProgress(tx, job, batch, { counts: countsOf(plans), notes })
  return true
}

function countsOf(plans: CustomerPlan[]) {
  const known = plans.filter(({ before }) => before)
  return {
    customers_created: plans.length - known.length,
    customers_updated: known.length,
    customers_changed: known.filter(({ isChanged, newAddress }) => isChanged || isAdded(newAddress)).length,
  }
}

const isAdded = (address: CustomerPlan['newAddress']): boolean => address !== null && address !== 'full'
