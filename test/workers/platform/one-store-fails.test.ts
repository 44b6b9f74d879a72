import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/processes/gateway.ts'
import { repriceProducts } from '#shared/catalog/jobs.ts'
import { expireOrder, readPayment } from '#shared/payments/jobs.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { publishEvents } from '#shared/platform/events/events.ts'
import type { JobDefinition } from '#shared/platform/jobs/define-job.ts'
import { pendingPayloads } from '#shared/platform/jobs/pending-jobs.ts'
import { DAY_MS, inMs, MINUTE_MS, now } from '#shared/platform/time/clock.ts'
import { comparePayments as comparePaymentsJob, reconcileStore } from '#shared/reconciliation/jobs.ts'
import { sendRefund } from '#shared/refunds/jobs.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { purgeStore } from '#shared/stores/jobs.ts'
import { chargeSubscription, remindSubscriber } from '#shared/subscriptions/jobs.ts'
import { reportSupportChanges } from '#shared/super-admin/jobs.ts'
import { buildCapturedOrder } from '#test/support/builders/captured-order.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildShop, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { buildSupport } from '#test/support/builders/support.ts'
import { moveParcel } from '#test/support/builders/webhooks.ts'
import { moveClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { whileBroken } from '#test/support/faults/break-store.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { discardJobs } from '#test/support/processes/jobs.ts'
import { enqueuePriceChanges } from '#workers/catalog/enqueue-price-changes.ts'
import { enqueueDueOrders } from '#workers/payments/close/enqueue-due-orders.ts'
import { recoverPayments } from '#workers/payments/recover-payments.ts'
import type { Handler } from '#workers/platform/handle.ts'
import { findSuspectPayments } from '#workers/reconciliation/find-suspect-payments.ts'
import { reconcileStores } from '#workers/reconciliation/reconcile-stores.ts'
import { recoverRefunds } from '#workers/refunds/recover-refunds.ts'
import { purgeDeletedStores } from '#workers/stores/purge-store.ts'
import { enqueueDueCharges } from '#workers/subscriptions/enqueue-due-charges.ts'
import { enqueueDueReminders } from '#workers/subscriptions/enqueue-due-reminders.ts'
import { enqueueSupportReports } from '#workers/super-admin/enqueue-support-reports.ts'
import { recoverDeliveries } from '#workers/webhooks/recover-deliveries.ts'

type Furnish = () => Promise<BuiltStore>

interface Case {
  handler: Handler
  /** The job that the handler enqueues for each store. */
  enqueues: JobDefinition
  /** Builds a store with work for the handler after `laterMs`. */
  furnish: Furnish
  laterMs?: number
}

async function withPendingRefund(): Promise<BuiltStore> {
  const store = await buildStore()
  const order = await buildCapturedOrder(store, { gateway, card: 'pm_card_visa' })
  await inStore(store.id, (tx) => requestRefund(tx, order.id, { amountMinor: 500n }, requester('system')))
  return store
}

async function withOpenPayment(): Promise<BuiltStore> {
  const shop = await buildShop()
  await placeCardOrder(shop)
  return shop.store
}

async function withUnpublishedEvent(): Promise<BuiltStore> {
  const store = await buildStore()
  await moveParcel(store)
  return store
}

async function withSubscription(): Promise<BuiltStore> {
  const store = await buildStore()
  await buildSubscription(store, { plan: { durationUnit: 'year' } })
  return store
}

async function deleted(): Promise<BuiltStore> {
  const store = await buildStore()
  const sql = `update stores set status = 'deleted', deleted_at = $2 where id = $1`
  await superuser.query(sql, [store.id, inMs(-31 * DAY_MS)])
  return store
}

/** A store whose last comparison with the gateway found a difference. */
async function discrepant(): Promise<BuiltStore> {
  const store = await buildStore()
  const sql = `insert into platform_reconciliations values ($1, 'gateway', 1, $2)`
  await superuser.query(sql, [store.id, now()])
  return store
}

async function withSupportChange(): Promise<BuiltStore> {
  const { store, token, allow } = await buildSupport()
  await allow()
  await request('PATCH /admin/settings', { token, body: { name: 'Renamed' } })
  return store
}

async function withPriceWindow(): Promise<BuiltStore> {
  const store = await buildStore()
  await buildProduct(store, { variants: [{ salePriceMinor: 300n, saleStartsAt: inMs(DAY_MS) }] })
  return store
}

const CASES: Case[] = [
  { handler: recoverRefunds, enqueues: sendRefund, furnish: withPendingRefund, laterMs: 5 * MINUTE_MS },
  { handler: enqueueDueOrders, enqueues: expireOrder, furnish: withOpenPayment, laterMs: 2 * DAY_MS },
  { handler: recoverPayments, enqueues: readPayment, furnish: withOpenPayment, laterMs: 10 * MINUTE_MS },
  {
    handler: recoverDeliveries,
    enqueues: publishEvents,
    furnish: withUnpublishedEvent,
    laterMs: 2 * MINUTE_MS,
  },
  {
    handler: enqueueDueCharges,
    enqueues: chargeSubscription,
    furnish: withSubscription,
    laterMs: 367 * DAY_MS,
  },
  {
    handler: enqueueDueReminders,
    enqueues: remindSubscriber,
    furnish: withSubscription,
    laterMs: 364 * DAY_MS,
  },
  {
    handler: enqueuePriceChanges,
    enqueues: repriceProducts,
    furnish: withPriceWindow,
    laterMs: DAY_MS,
  },
  {
    handler: enqueueSupportReports,
    enqueues: reportSupportChanges,
    furnish: withSupportChange,
    laterMs: 20 * MINUTE_MS,
  },
  { handler: purgeDeletedStores, enqueues: purgeStore, furnish: deleted },
  { handler: reconcileStores, enqueues: reconcileStore, furnish: buildStore },
  { handler: findSuspectPayments, enqueues: comparePaymentsJob, furnish: discrepant },
]

const run = ({ run }: Handler) => run({}, { jobId: '', retry: 0, signal: new AbortController().signal })

const isEnqueued = async (job: JobDefinition, store: BuiltStore): Promise<boolean> =>
  (await pendingPayloads(job, store.id)).length > 0

for (const { handler, enqueues, furnish, laterMs = 0 } of CASES)
  test(`${handler.job.queue}: an error of one store fails the job after the other store is served`, async () => {
    const [broken, sound] = [await furnish(), await furnish()]
    await discardJobs()
    moveClock(laterMs)

    await whileBroken(broken, {}, () =>
      assert.rejects(run(handler), new RegExp(`${broken.id}: .*a corrupt row`)),
    )

    assert.equal(await isEnqueued(enqueues, broken), false)
    assert.equal(await isEnqueued(enqueues, sound), true)

    await run(handler)
    assert.equal(await isEnqueued(enqueues, broken), true, 'control: the store has work')
  })

test("compare-with-lists: a store whose payments cannot be read leaves the others' comparison", async () => {
  const [broken, sound] = [await discrepant(), await discrepant()]
  await buildCapturedOrder(broken, { gateway, card: 'pm_card_visa' })
  await discardJobs()
  moveClock(DAY_MS)

  await whileBroken(broken, { tables: ['payments'] }, () =>
    assert.rejects(run(findSuspectPayments), new RegExp(broken.id)),
  )

  assert.equal(await isEnqueued(comparePaymentsJob, sound), true)
})
