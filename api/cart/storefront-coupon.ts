import { guest } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { applyCartCoupon as apply } from '#shared/cart/apply-cart-coupon.ts'
import { removeCartCoupon as remove } from '#shared/cart/remove-cart-coupon.ts'
import { CartView } from '#shared/cart/views/view.ts'
import { COUPON_REFUSALS } from '#shared/coupons/errors.ts'
import { limitUnknownCodes } from '#shared/coupons/limit-unknown-codes.ts'
import { cartCouponExample, cartExample, discountedCartExample } from './examples.ts'
import { toCartHolder } from './read-request.ts'
import { respondWithCart } from './respond-with-cart.ts'
import { ApplyCouponRequest } from './schemas.ts'

export const applyCartCoupon = endpoint({
  method: 'post',
  path: '/cart/coupon',
  access: guest,
  transaction: 'manual',
  summary: 'Apply a coupon to the cart',
  description:
    'Replaces the coupon of the cart. A coupon that no longer applies stays, without a discount: `applied` is false ' +
    'and `reason` is the error code. An inactive coupon is reported as unknown, one that has not started as expired. ' +
    "The uses of a guest are checked at checkout. On sign-in, a guest's coupon replaces the customer's. Unknown " +
    'codes are limited per hour by network, together with those of checkouts.',
  body: ApplyCouponRequest,
  returns: [200, CartView],
  errors: COUPON_REFUSALS,
  example: { body: { code: cartCouponExample.code }, data: discountedCartExample },
  handle({ store, customer, cartToken, body, request, unitOfWork }) {
    const attempt = { storeId: store.id, network: request.network }
    return limitUnknownCodes(attempt, () =>
      unitOfWork.inStore(store.id, async (tx) => {
        const cart = await apply(tx, toCartHolder({ customer, cartToken }), body.code)
        return respondWithCart(cart, { tx, store, request })
      }),
    )
  },
})

export const removeCartCoupon = endpoint({
  method: 'delete',
  path: '/cart/coupon',
  access: guest,
  summary: 'Remove the coupon of the cart',
  description: 'Without a coupon, nothing changes.',
  returns: [200, CartView],
  example: { data: cartExample },
  async handle({ tx, store, customer, cartToken, request }) {
    const cart = await remove(tx, toCartHolder({ customer, cartToken }))
    return respondWithCart(cart, { tx, store, request })
  },
})
