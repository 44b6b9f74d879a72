import { Type } from 'typebox'
import { guest } from '#api/platform/auth/access.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { clearCart } from '#shared/cart/clear-cart.ts'
import { CartErrors } from '#shared/cart/errors.ts'
import { addToCart } from '#shared/cart/items/add-to-cart.ts'
import { removeCartItem } from '#shared/cart/items/remove-cart-item.ts'
import { updateCartItem as update } from '#shared/cart/items/update-cart-item.ts'
import { explainPrices } from '#shared/cart/prices/explain-prices.ts'
import { priceForDestination } from '#shared/cart/prices/price-for-destination.ts'
import { readCart as read } from '#shared/cart/read-cart.ts'
import { updateCartMetadata } from '#shared/cart/update-cart-metadata.ts'
import { CartView, viewCart } from '#shared/cart/views/view.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { RecurringPlanErrors } from '#shared/recurring-plans/errors.ts'
import { ShippingMethodErrors } from '#shared/shipping-methods/errors.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { cartExample, emptyCartExample, newCartExample } from './examples.ts'
import { toCartAddition, toCartHolder, toDestination } from './read-request.ts'
import { respondWithCart } from './respond-with-cart.ts'
import {
  AddCartItemRequest,
  CartItemParams,
  CartQuery,
  UpdateCartItemRequest,
  UpdateCartRequest,
} from './schemas.ts'

const WHICH_CART = "The signed-in customer's cart, or the guest cart of `X-Cart-Token`, at current prices."

export const readCart = endpoint({
  method: 'get',
  path: '/cart',
  access: guest,
  transaction: 'manual',
  summary: 'Read the cart',
  description:
    `${WHICH_CART} A caller without a cart gets an empty one with \`id\` null. With a destination and a shipping ` +
    'method, the prices are those of checkout: send `total` (for a payment by card `card_total`) as `expected_total`.',
  query: CartQuery,
  returns: [200, CartView],
  errors: [ShippingMethodErrors.unavailable, CartErrors.tooManyPrices],
  example: { data: cartExample },
  async handle({ store, customer, cartToken, query, request: { language } }) {
    const cart = await read(store.id, toCartHolder({ customer, cartToken }))
    const priced = await priceForDestination({ storeId: store.id }, cart, toDestination(store, query))
    const explained = query.explain ? await explainPrices(store.id, priced, customer?.id ?? null) : undefined
    return viewCart(priced, { store, language, explained })
  },
})

export const addCartItem = endpoint({
  method: 'post',
  path: '/cart/items',
  access: guest,
  summary: 'Add units of a variant, or a gift voucher, to the cart',
  description:
    'Adds to an existing line of the variant, bought once or by the same recurring plan; each gift voucher is a ' +
    'separate line. A guest without a cart gets one, and its `token`. New carts are limited per hour by network. A ' +
    'line may exceed the stock: it is not `available`, and checkout rejects it. Checkout also rejects a line by a ' +
    'plan that its product no longer offers.',
  body: AddCartItemRequest,
  returns: [201, CartView],
  errors: [
    CommonErrors.notFound,
    CartErrors.tooManyUnits,
    CartErrors.lineLimitReached,
    CartErrors.voucherLimitReached,
    CartErrors.totalTooLarge,
    RecurringPlanErrors.tooManyTrialUnits,
    VoucherErrors.amountOutOfRange,
  ],
  example: {
    body: { variant_id: '01992e10-5a70-7b1c-8f2d-3e4a5b6c7d8e', quantity: 2 },
    data: newCartExample,
  },
  async handle({ tx, store, customer, cartToken, body, request }) {
    const holder = toCartHolder({ customer, cartToken })
    const { cart, token } = await addToCart(tx, store.currency, holder, toCartAddition(body, store.currency))
    return respondWithCart(cart, { tx, store, request }, token)
  },
})

export const updateCartItem = endpoint({
  method: 'patch',
  path: '/cart/items/:item_id',
  access: guest,
  summary: 'Set the quantity of a line of the cart',
  params: CartItemParams,
  body: UpdateCartItemRequest,
  returns: [200, CartView],
  errors: [CommonErrors.notFound, CartErrors.totalTooLarge, RecurringPlanErrors.tooManyTrialUnits],
  example: { body: { quantity: 2 }, data: cartExample },
  async handle({ tx, store, customer, cartToken, params, body, request }) {
    const holder = toCartHolder({ customer, cartToken })
    const cart = await update(tx, holder, params.item_id, body.quantity)
    return respondWithCart(cart, { tx, store, request })
  },
})

export const deleteCartItem = endpoint({
  method: 'delete',
  path: '/cart/items/:item_id',
  access: guest,
  summary: 'Remove a line from the cart',
  params: CartItemParams,
  returns: [200, CartView],
  errors: [CommonErrors.notFound],
  example: { data: emptyCartExample },
  async handle({ tx, store, customer, cartToken, params, request }) {
    const holder = toCartHolder({ customer, cartToken })
    const cart = await removeCartItem(tx, holder, params.item_id)
    return respondWithCart(cart, { tx, store, request })
  },
})

export const updateCart = endpoint({
  method: 'patch',
  path: '/cart',
  access: guest,
  summary: 'Change the metadata of the cart',
  description:
    'The order gets the metadata at checkout, and staff read it there. A guest without a cart gets one, and its ' +
    "`token`. On sign-in, a guest's values replace the customer's.",
  body: UpdateCartRequest,
  returns: [200, CartView],
  example: {
    body: { metadata: { gift_wrap: 'yes' } },
    data: { ...cartExample, metadata: { gift_wrap: 'yes' } },
  },
  async handle({ tx, store, customer, cartToken, body, request }) {
    const { cart, token } = await updateCartMetadata(tx, toCartHolder({ customer, cartToken }), body.metadata)
    return respondWithCart(cart, { tx, store, request }, token)
  },
})

export const deleteCart = endpoint({
  method: 'delete',
  path: '/cart',
  access: guest,
  summary: 'Remove all lines, the coupon and the metadata of the cart',
  returns: [200, Type.Null()],
  example: { data: null },
  async handle({ tx, customer, cartToken }) {
    await clearCart(tx, toCartHolder({ customer, cartToken }))
    return null
  },
})
