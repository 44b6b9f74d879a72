import { randomUUID } from 'node:crypto'
import '#test/support/processes/gateway.ts'
import { lockOrder } from '#shared/orders/order.ts'
import { releaseHeld } from '#shared/orders/stock/hold.ts'
import { Payment } from '#shared/payments/payment.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { eventsOf, readOrder } from '#test/support/books/read-refunds.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, confirm, fillCart, referenceOf } from '#test/support/builders/place-orders.ts'
import { buildVoucher, ledgerOf, readVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

export type Shop = Awaited<ReturnType<typeof buildShop>>

/** Checks out one unit, which comes to 15.00 with its shipping. */
export async function buyWith(shop: Shop, body: object) {
  const cart = await fillCart(shop.store, shop.variantId)
  return checkOut(shop, { cart, body })
}

/** An order of 15.00 of which a voucher pays 5.00 and a card the rest, opened at the gateway. */
export async function buyByBoth(shop?: Shop, code?: string) {
  const at = shop ?? (await buildShop())
  const voucher = code ? undefined : await buildVoucher(at.store, { amountMinor: 500n })
  const { data } = await buyWith(at, { voucher_code: code ?? voucher?.code })
  await drainJobs()
  const reference = await referenceOf(at.store, data.payment.id)
  const { id, access_token: accessToken } = data.order
  const { token } = await buildStaff(at.store, { role: 'accounting' })
  return {
    shop: at,
    store: at.store,
    id: id as string,
    voucherId: voucher?.id ?? '',
    token,
    reference,
    paid: async () => notify('payment_intent.succeeded', await confirm(reference)),
    declined: async () =>
      notify('payment_intent.payment_failed', await confirm(reference, 'pm_card_chargeDeclined')),
    endHold: () => inStore(at.store.id, async (tx) => releaseHeld(tx, await lockOrder(tx, id))),
    pay: () =>
      request(`POST /orders/${id}/pay?access_token=${accessToken}`, {
        store: at.store,
        key: randomUUID(),
        headers: { Prefer: 'respond-async' },
        body: {},
      }),
    cancel: () => request(`POST /orders/${id}/cancel?access_token=${accessToken}`, { store: at.store }),
    order: () => readOrder(at.store, id),
    voucher: () => readVoucher(at.store, voucher?.id ?? ''),
    ledger: () => ledgerOf(at.store, voucher?.id ?? ''),
  }
}

/** The events of a voucher's redemptions and releases. */
export const voucherEventsOf = (store: { id: string }, voucherId: string) =>
  eventsOf(store, voucherId, 'voucher.redeemed', 'voucher.released')

/** The payments of an order, oldest first. */
export const paymentsOf = (store: { id: string }, orderId: string) =>
  inStore(store.id, async (tx) => {
    const payments = await Payment.in(tx).where('order_id', orderId).orderBy('id')
    return payments.map(({ provider, status, amountMinor }) => ({ provider, status, amountMinor }))
  })
