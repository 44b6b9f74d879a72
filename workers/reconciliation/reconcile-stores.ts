import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { DAY_MS, HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { findDiscrepancies } from '#shared/reconciliation/find-discrepancies.ts'
import {
  compareWithLists as listsJob,
  comparePayments as paymentsJob,
  reconcileStore as storeJob,
  reconcileStores as storesJob,
} from '#shared/reconciliation/jobs.ts'
import { findDiscrepantStores } from '#shared/reconciliation/outcome.ts'
import { forEachStore } from '#shared/stores/for-each-store.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe.ts'
import { handle } from '#workers/platform/handle.ts'
import { comparePaymentsWithGateway } from './compare-with-gateway.ts'
import { flagPayments } from './flag-payments.ts'
import { reportOutcome } from './report-outcome.ts'

/** Refunds fail and disputes end weeks after the payment: each night looks at the payments of so many days again. */
const DAYS = 35
/** A payment of more than this is compared on its own on the next night. */
const MAX_REFERENCES = 200

/** The payments that the nightly comparison reads. The latest are left out: their events are on their way. */
export const comparedWindow = (days = DAYS) => ({ from: inMs(-days * DAY_MS), to: inMs(-HOUR_MS) })

export const reconcileStores = handle(storesJob, (_payload, { signal }) =>
  forEachStore(signal, (storeId) => inStore(storeId, (tx) => enqueue(tx, storeJob, {}))),
)

export const reconcileStore = handle(storeJob, async ({ storeId }, { retry }) => {
  const found = await inStore(storeId, findDiscrepancies)
  await reportOutcome(storeId, { book: 'store', found, isLast: retry >= storeJob.rules.retries })
})

export const compareWithLists = handle(listsJob, async () => {
  const flags = await flagPayments(stripeGateway(), comparedWindow())
  const discrepant = await findDiscrepantStores('gateway')
  for (const storeId of new Set([...flags.keys(), ...discrepant])) {
    const references = [...(flags.get(storeId) ?? [])].slice(0, MAX_REFERENCES)
    await inStore(storeId, (tx) => enqueue(tx, paymentsJob, { references }))
  }
})

export const comparePayments = handle(paymentsJob, async ({ storeId, references }, { retry }) => {
  const found = await comparePaymentsWithGateway(stripeGateway(), storeId, references)
  await reportOutcome(storeId, { book: 'gateway', found, isLast: retry >= paymentsJob.rules.retries })
})
