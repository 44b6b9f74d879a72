import { guest } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { putCouponOn, takeCouponOff } from '#shared/cart/change-coupon.ts'
import { CartView } from '#shared/cart/view.ts'
import { COUPON_REFUSALS } from '#shared/coupons/errors.ts'
import { cartCouponExample, cartExample, discountedCartExample } from './examples.ts'
import { holderOf } from './holder.ts'
import { CartCoupon } from './schemas.ts'
import { showChanged } from './show-changed.ts'

export const putOnCoupon = endpoint({
  method: 'post',
  path: '/cart/coupon',
  access: guest,
  summary: 'Put a coupon on the cart',
  description:
    'It takes the place of the one that is on it. It stays while it does not apply any more: then `applied` is false, ' +
    '`reason` says why, and it takes nothing off until it does again. One that is not active is answered as an unknown ' +
    'one, one that has not begun like one that has ended. How often a guest has used it is known at checkout. Signing in, a ' +
    "guest takes it along: it takes the place of the customer's.",
  body: CartCoupon,
  returns: [200, CartView],
  errors: COUPON_REFUSALS,
  example: { body: { code: cartCouponExample.code }, data: discountedCartExample },
  async handle({ tx, store, customer, cartToken, body, request }) {
    const cart = await putCouponOn(tx, holderOf({ customer, cartToken }), body.code)
    return showChanged(cart, { tx, store, request })
  },
})

export const takeOffCoupon = endpoint({
  method: 'delete',
  path: '/cart/coupon',
  access: guest,
  summary: 'Take the coupon off the cart',
  description: 'Without one, the cart stays as it is.',
  returns: [200, CartView],
  example: { data: cartExample },
  async handle({ tx, store, customer, cartToken, request }) {
    const cart = await takeCouponOff(tx, holderOf({ customer, cartToken }))
    return showChanged(cart, { tx, store, request })
  },
})
