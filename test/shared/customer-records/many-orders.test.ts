import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { destroyKeys } from '#shared/audit/sealed-content.ts'
import { anonymizeCouponUses } from '#shared/coupons/anonymize-coupon-uses.ts'
import { findVoucherIdsOfGiver, findVoucherIdsOfPerson } from '#shared/customer-records/vouchers-of-person.ts'
import { eraseOrderNotes } from '#shared/order-history/erase-order-notes.ts'
import { anonymizeOrders } from '#shared/orders/buyers/anonymize-orders.ts'
import { anonymizePayments } from '#shared/payments/anonymize-payments.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { anonymizeRefunds } from '#shared/refunds/anonymize-refunds.ts'
import { anonymizeReturns } from '#shared/returns/anonymize-returns.ts'
import { buildStore } from '#test/support/builders/store.ts'

// A statement has at most 65,535 values.
const ORDER_IDS = Array.from({ length: 66_000 }, newId)

const ERASURES: Record<string, (tx: StoreTx) => PromiseLike<unknown>> = {
  'order data': (tx) => anonymizeOrders(tx, ORDER_IDS, newId()),
  notes: (tx) => eraseOrderNotes(tx, ORDER_IDS),
  payments: (tx) => anonymizePayments(tx, ORDER_IDS),
  refunds: (tx) => anonymizeRefunds(tx, ORDER_IDS),
  returns: (tx) => anonymizeReturns(tx, ORDER_IDS),
  'coupon uses': (tx) => anonymizeCouponUses(tx, ORDER_IDS, newId()),
  vouchers: (tx) => findVoucherIdsOfPerson(tx, { orderIds: ORDER_IDS, verifiedEmails: [] }),
  'given vouchers': (tx) =>
    findVoucherIdsOfGiver(tx, { customerId: newId(), orderIds: ORDER_IDS, verifiedEmails: [] }),
  'audit keys': (tx) =>
    destroyKeys(
      tx,
      ORDER_IDS.map((id) => ({ type: 'orders', id })),
    ),
}

for (const [what, erase] of Object.entries(ERASURES))
  test(`the ${what} of a person with 66,000 orders are erased or found by one value`, async () => {
    const { id } = await buildStore()

    await assert.doesNotReject(inStore(id, async (tx) => void (await erase(tx))))
  })
