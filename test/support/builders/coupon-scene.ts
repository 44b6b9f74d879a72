import '#test/support/processes/gateway.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { request } from '#test/support/processes/app.ts'

export const OFFLINE = { payment_method: 'cash_on_delivery' }

/** A shop with one variant at 10.00, and a guest's cart of two of it. */
export async function buildCouponScene() {
  const shop = await buildShop()
  const { store } = shop
  const cart = await fillCart(store, shop.variantId, 2)
  const put = (code: string, as: object = { cart }) =>
    request('POST /cart/coupon', { store, body: { code }, ...as })
  const read = (as: object = { cart }) => request('GET /cart', { store, ...as })
  const buy = (body: object = {}, as: { cart?: string; token?: string } = { cart }) =>
    checkOut(shop, { ...as, body: { ...OFFLINE, ...body } })
  return { ...shop, shop, cart, put, read, buy }
}

/** The coupon as staff see it. */
export async function couponOf(store: { id: string }, id: string) {
  const { token } = await buildStaff(store, { role: 'marketing' })
  const { data } = await request(`GET /admin/coupons/${id}`, { token })
  const uses = await request(`GET /admin/coupons/${id}/uses`, { token })
  return { ...data, uses: uses.data, total: uses.meta.total }
}
