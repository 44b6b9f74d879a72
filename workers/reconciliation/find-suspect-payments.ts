import { DAY_MS, HOUR_MS, inMs } from '#shared/platform/time/clock.ts'
import { comparePayments, findSuspectPayments as job } from '#shared/reconciliation/jobs.ts'
import { findDiscrepantStores } from '#shared/reconciliation/outcome.ts'
import type { Window } from '#shared/reconciliation/read-gateway-books.ts'
import { enqueueForStores } from '#shared/stores/enqueue-for-stores.ts'
import { isolateStoreFailures } from '#shared/stores/isolate-store-failures.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'
import { flagPayments } from './flag-payments.ts'

/**
 * Each night checks the payments of this many days again, because refunds fail and disputes end weeks after the
 * payment.
 */
const DAYS = 35
/** One night compares at most this many payments separately. The next night compares the rest. */
const MAX_REFERENCES = 200

/**
 * Returns the window of the nightly comparison. It leaves out the latest payments, whose notifications may not have
 * arrived yet.
 */
export const comparedWindow = (days = DAYS): Window => ({ from: inMs(-days * DAY_MS), to: inMs(-HOUR_MS) })

/**
 * Finds the payments that may differ from the gateway's lists, and enqueues their comparison. A store that differed
 * before is compared too, so that its outcome is recorded.
 */
export const findSuspectPayments = handle(job, (_payload, { signal }) =>
  isolateStoreFailures(async (runForStore) => {
    const flags = await flagPayments(stripeGateway(), comparedWindow(), runForStore)
    const discrepant = await findDiscrepantStores('gateway')
    const storeIds = [...new Set([...flags.keys(), ...discrepant])]
    const payloads = storeIds.map((storeId) => ({
      storeId,
      references: [...(flags.get(storeId) ?? [])].slice(0, MAX_REFERENCES),
    }))
    await enqueueForStores(runForStore, comparePayments, payloads)
  }, signal),
)
