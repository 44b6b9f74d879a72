import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { recordChange } from '#shared/audit/record-change.ts'
import { adjustStock } from '#shared/inventory/adjust-stock.ts'
import { changeOrderStatus } from '#shared/orders/lifecycle/change-order-status.ts'
import { createShipment } from '#shared/orders/shipments/create-shipment.ts'
import { releaseDueHold } from '#shared/orders/stock/hold.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { applyCapture } from '#shared/settlement/apply-capture.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildChange } from '#test/support/builders/audit.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildPaymentMethods, buildShippingMethod } from '#test/support/builders/methods.ts'
import { buildCheckoutRequest, buildOrder, place, readStore } from '#test/support/builders/orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { untilOneWaits } from '#test/support/races/overlap.ts'

/*
 * A transaction locks a customer, then variants, then the end of the audit log. One that must lock variants earlier
 * than at its commit keeps this sequence, or it would deadlock with the others. A deadlock costs both a second and runs
 * one of them again.
 */

/** A customer, and a variant that many buy. */
async function scene() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { variants } = await buildProduct(store, { variants: [{ stockOnHand: 20 }] })
  const variantId = variants[0]?.id ?? ''
  const items = [{ variantId, quantity: 1 }]
  const shipping = await buildShippingMethod(store)
  await buildPaymentMethods(store)
  const visit = await readStore(store.id)
  const request = buildCheckoutRequest(shipping.id, 'cash_on_delivery')
  return {
    store,
    customerId: customer.id,
    variantId,
    items,
    /** An order on delivery of the customer: it counts in the customer's figures, and allocates the unit. */
    buy: (tx: StoreTx) => place(tx, visit, { customerId: customer.id, items, request }),
  }
}

/**
 * Starts `second` when `first` has done its work, and ends `first` when `second` waits for a lock of it. Returns how
 * often each ran.
 */
async function overlap(
  { id }: { id: string },
  first: (tx: StoreTx) => Promise<unknown>,
  second: (tx: StoreTx) => Promise<unknown>,
): Promise<{ first: number; second: number }> {
  const runs = { first: 0, second: 0 }
  let other: Promise<unknown> | undefined
  await inStore(id, async (tx) => {
    runs.first += 1
    await first(tx)
    other ??= inStore(id, async (otherTx) => {
      runs.second += 1
      await second(otherTx)
    })
    if (runs.first === 1) await untilOneWaits()
  })
  await other
  return runs
}

const ONCE = { first: 1, second: 1 }
const MAY_SHIP = { assertMayShip: async () => {} }

test('a change of stock and a canceled order of the same variant, both audited, do not deadlock', async () => {
  const { store, variantId, buy } = await scene()
  const { id } = await inStore(store.id, buy)

  const runs = await overlap(
    store,
    async (tx) => {
      await adjustStock(tx, variantId, { delta: 1, note: null })
      recordChange(tx, buildChange())
    },
    async (tx) => {
      await changeOrderStatus(tx, id, 'canceled', 'system')
      recordChange(tx, buildChange())
    },
  )

  assert.deepEqual(runs, ONCE)
})

test('a shipment and a new order of the same customer and variant do not deadlock', async () => {
  const { store, buy } = await scene()
  const { id } = await inStore(store.id, buy)

  const runs = await overlap(store, (tx) => createShipment(tx, id, {}, 'system', MAY_SHIP), buy)

  assert.deepEqual(runs, ONCE)
})

test('a shipped order and a new order of the same customer and variant do not deadlock', async () => {
  const { store, buy } = await scene()
  const { id } = await inStore(store.id, buy)

  const runs = await overlap(store, (tx) => changeOrderStatus(tx, id, 'shipped', 'system'), buy)

  assert.deepEqual(runs, ONCE)
})

test('a capture that reserves released stock and a new order of the customer do not deadlock', async () => {
  const { store, customerId, items, buy } = await scene()
  const order = await buildOrder(store, { customerId, items })
  await superuser.query('update orders set hold_until = $2 where id = $1', [order.id, now()])
  await inStore(store.id, (tx) => releaseDueHold(tx, order.id))
  const { paymentId, totalMinor: amountMinor, currency } = order

  const runs = await overlap(
    store,
    (tx) => applyCapture(tx, paymentId ?? '', { reference: `pi_${order.id}`, amountMinor, currency }),
    buy,
  )

  assert.deepEqual(runs, ONCE)
})
