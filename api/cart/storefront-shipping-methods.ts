import { Type } from 'typebox'
import { guest } from '#api/platform/auth/access.ts'
import { inQuery } from '#api/platform/input/request-part.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { offerShipping } from '#shared/cart/prices/offer-shipping.ts'
import { assertPlace } from '#shared/geo/place.ts'
import { ShippingMethodErrors } from '#shared/shipping-methods/errors.ts'
import { ShippingMethodView, viewShippingMethod } from '#shared/shipping-methods/view.ts'
import { toCartHolder } from './read-request.ts'
import { DestinationQuery } from './schemas.ts'

export const listShipping = endpoint({
  method: 'get',
  path: '/cart/shipping-methods',
  access: guest,
  transaction: 'manual',
  summary: 'List the shipping methods for the cart and a place',
  description:
    'Prices for the current cart, with tax where the store’s prices include it. Empty when the store does not sell ' +
    'to the country, or no method carries the cart there. A store without any active shipping method responds ' +
    '`checkout.shipping_unavailable`.',
  query: DestinationQuery,
  returns: [200, Type.Array(ShippingMethodView)],
  errors: [ShippingMethodErrors.unavailable],
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
    const holder = toCartHolder({ customer, cartToken })
    const offers = await offerShipping(store.id, holder, query, [language, store.defaultLanguage])
    return offers.map(({ method, priceMinor }) => viewShippingMethod(method, priceMinor, { store, language }))
  },
})
