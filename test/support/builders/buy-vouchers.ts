import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { type buildShop, checkOut, confirm, referenceOf } from '#test/support/builders/place-orders.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'

type Shop = Awaited<ReturnType<typeof buildShop>>

/** A gift voucher of 25.00, as a cart takes it. */
export const buildGift = (given: object = {}) => ({
  amount: 25,
  to_name: 'Grace',
  to_email: `grace-${randomUUID()}@example.test`,
  from_name: 'Ada',
  from_email: 'ada@example.test',
  message: 'For <you>',
  ...given,
})

/** Puts an item in a cart, by default in a new one. */
export const putInCart = ({ store }: Shop, body: object, cart?: string) =>
  request('POST /cart/items', { store, ...(cart ? { cart } : {}), body })

/** The vouchers that an order bought. */
export const findBought = ({ store }: Shop, orderId: string) =>
  inStore(store.id, (tx) => Voucher.in(tx).where('order_id', orderId).orderBy('id'))

/** An order of a gift voucher alone, to be paid by card. */
export async function orderVoucher(shop: Shop, voucher = buildGift(), body: object = {}) {
  const { data: cart } = await putInCart(shop, { voucher })
  const { data } = await checkOut(shop, {
    cart: cart.token,
    body: { shipping_method_id: undefined, ...body },
  })
  await drainJobs()
  const paid = async () =>
    notify('payment_intent.succeeded', await confirm(await referenceOf(shop.store, data.payment.id)))
  const bought = async () => {
    const [only] = await findBought(shop, data.order.id)
    assert.ok(only)
    return only
  }
  return { ...data, paid, bought, voucher }
}
