import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { findUnlisted } from '#shared/reconciliation/find-unequal.ts'
import { createRefund } from '#test/sandbox/gateway/refunds.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

test("finds captured payments and refunds that are missing in the gateway's lists, page by page", async () => {
  const shop = await buildShop(20)
  const references: string[] = []
  for (let n = 0; n < 5; n++) {
    const { reference } = await placeCardOrder(shop, 1)
    await notify('payment_intent.succeeded', await confirm(reference, 'pm_card_visa'))
    references.push(reference)
  }
  const first = references.at(0) ?? ''
  const last = references.at(-1) ?? ''
  await notify(
    'refund.created',
    gateway.change((context) => createRefund(context, { payment_intent: last })),
  )
  await drainJobs()
  const window = { from: inMs(-DAY_MS), to: inMs(DAY_MS) }
  const find = (payments: string[], pageSize?: number) =>
    inStore(shop.store.id, (tx) =>
      findUnlisted(tx, window, { payments: new Set(payments), refunds: new Set() }, pageSize),
    )

  assert.deepEqual(await find(references, 2), [last])
  assert.deepEqual(await find([], 2), [...references, last])
  assert.deepEqual(await find(references.filter((one) => one !== first)), [first, last])
})
