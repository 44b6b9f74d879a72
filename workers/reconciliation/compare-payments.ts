import { comparePayments as job } from '#shared/reconciliation/jobs.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'
import { handle } from '#workers/platform/handle.ts'
import { comparePaymentsWithGateway } from './compare-payments-with-gateway.ts'
import { reportOutcome } from './report-outcome.ts'

/** Compares payments of a store with the gateway. */
export const comparePayments = handle(job, async ({ storeId, references }, { retry }) => {
  const found = await comparePaymentsWithGateway(stripeGateway(), storeId, references)
  await reportOutcome(storeId, { book: 'gateway', found, isLast: retry >= job.rules.retries })
})
