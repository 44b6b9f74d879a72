import { Type } from 'typebox'
import { guest } from '#api/platform/auth/access.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { addToCart } from '#shared/cart/add-to-cart.ts'
import { changeItem } from '#shared/cart/change-item.ts'
import { clearCart } from '#shared/cart/clear-cart.ts'
import { CartErrors } from '#shared/cart/errors.ts'
import { explainPrices } from '#shared/cart/explain-prices.ts'
import { offerShipping } from '#shared/cart/offer-shipping.ts'
import { priceAt } from '#shared/cart/price-at.ts'
import { readCart as read } from '#shared/cart/read-cart.ts'
import { CartView, viewCart } from '#shared/cart/view.ts'
import { assertPlace } from '#shared/geo/place.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { ShippingMethodErrors } from '#shared/settings/errors.ts'
import { ShippingMethodView, viewShippingMethod } from '#shared/settings/view.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { destinationOf } from './destination.ts'
import { cartExample, emptyCartExample, newCartExample } from './examples.ts'
import { holderOf } from './holder.ts'
import { toAdded } from './read-request.ts'
import { CartItemChange, CartItemParams, CartQuery, DestinationQuery, NewCartItem } from './schemas.ts'
import { showChanged } from './show-changed.ts'

const WHOSE =
  "The signed-in customer's cart, else the guest cart that `X-Cart-Token` opens. Prices are those of this moment."

export const readCart = endpoint({
  method: 'get',
  path: '/cart',
  access: guest,
  transaction: 'manual',
  summary: 'Read the cart',
  description:
    `${WHOSE} Without one: an empty cart whose \`id\` is null. Tell where and how it is to go, and it is priced as ` +
    'checkout will price it: send its `total` as `expected_total`.',
  query: CartQuery,
  returns: [200, CartView],
  errors: [ShippingMethodErrors.unavailable],
  example: { data: cartExample },
  async handle({ store, customer, cartToken, query, request: { language } }) {
    const cart = await read(store.id, holderOf({ customer, cartToken }))
    const priced = await priceAt({ storeId: store.id }, cart, destinationOf(store, query))
    const explained = query.explain ? await explainPrices(store.id, priced.lines) : undefined
    return viewCart(priced, { store, language, explained })
  },
})

export const addCartItem = endpoint({
  method: 'post',
  path: '/cart/items',
  access: guest,
  summary: 'Put units of a variant, or a gift voucher to buy, into the cart',
  description:
    'Adds to the line of the variant where there is one; each gift voucher is a line of its own. A guest without a cart gets one, and its `token`. More ' +
    'than the stock has may be put in: the line is not `available`, and checkout refuses it.',
  body: NewCartItem,
  returns: [201, CartView],
  errors: [
    CommonErrors.notFound,
    CartErrors.tooManyUnits,
    CartErrors.tooManyLines,
    CartErrors.tooManyVouchers,
    CartErrors.totalTooLarge,
    VoucherErrors.amountOutOfRange,
  ],
  example: {
    body: { variant_id: '01992e10-5a70-7b1c-8f2d-3e4a5b6c7d8e', quantity: 2 },
    data: newCartExample,
  },
  async handle({ tx, store, customer, cartToken, body, request }) {
    const holder = holderOf({ customer, cartToken })
    const { cart, token } = await addToCart(tx, store.currency, holder, toAdded(body, store.currency))
    return showChanged(cart, { tx, store, request }, token)
  },
})

export const changeCartItem = endpoint({
  method: 'patch',
  path: '/cart/items/:item_id',
  access: guest,
  summary: 'Set the units of a line of the cart',
  params: CartItemParams,
  body: CartItemChange,
  returns: [200, CartView],
  errors: [CommonErrors.notFound, CartErrors.totalTooLarge],
  example: { body: { quantity: 2 }, data: cartExample },
  async handle({ tx, store, customer, cartToken, params, body, request }) {
    const holder = holderOf({ customer, cartToken })
    const cart = await changeItem(tx, holder, params.item_id, body.quantity)
    return showChanged(cart, { tx, store, request })
  },
})

export const removeCartItem = endpoint({
  method: 'delete',
  path: '/cart/items/:item_id',
  access: guest,
  summary: 'Take a line out of the cart',
  params: CartItemParams,
  returns: [200, CartView],
  errors: [CommonErrors.notFound],
  example: { data: emptyCartExample },
  async handle({ tx, store, customer, cartToken, params, request }) {
    const holder = holderOf({ customer, cartToken })
    const cart = await changeItem(tx, holder, params.item_id, 0)
    return showChanged(cart, { tx, store, request })
  },
})

export const deleteCart = endpoint({
  method: 'delete',
  path: '/cart',
  access: guest,
  summary: 'Empty the cart, and take its coupon off',
  returns: [200, Type.Null()],
  example: { data: null },
  async handle({ tx, customer, cartToken }) {
    await clearCart(tx, holderOf({ customer, cartToken }))
    return null
  },
})

export const listShipping = endpoint({
  method: 'get',
  path: '/cart/shipping-methods',
  access: guest,
  transaction: 'manual',
  summary: 'List the ways to ship the cart to a place',
  description: 'Net prices, for what is in the cart now. None where the store does not sell to the country.',
  query: DestinationQuery,
  returns: [200, Type.Array(ShippingMethodView)],
  example: {
    data: [
      {
        id: '01992e11-0c2d-7e4f-8a6b-9c0d1e2f3a4b',
        code: 'parcel',
        name: 'Parcel',
        price: 4.9,
        estimate: '2 to 3 working days',
      },
    ],
  },
  async handle({ store, customer, cartToken, query, request: { language } }) {
    inQuery(() => assertPlace(query))
    const offers = await offerShipping(store.id, holderOf({ customer, cartToken }), query)
    return offers.map(({ method, priceMinor }) => viewShippingMethod(method, priceMinor, { store, language }))
  },
})
