import type { Static } from 'typebox'
import { readPlace } from '#api/geo/place-query.ts'
import type { CustomerCaller } from '#api/platform/auth/callers.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { invalidQuery } from '#api/platform/input/request-part.ts'
import type { CartHolder } from '#shared/cart/cart.ts'
import type { CartAddition } from '#shared/cart/items/add-to-cart.ts'
import type { Destination } from '#shared/cart/prices/price-for-destination.ts'
import { toMinor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import type { AddCartItemRequest, CartQuery } from './schemas.ts'

/** Converts a request body to the domain's input. */
export function toCartAddition(
  { voucher, ...goods }: Static<typeof AddCartItemRequest>,
  currency: string,
): CartAddition {
  if (!voucher) return toCamelCase(goods)
  const { amount, ...gift } = voucher
  const amountMinor = toMinor(amount, currency, ['voucher', 'amount'])
  return { ...toCamelCase(goods), voucher: { ...toCamelCase(gift), amountMinor } }
}

/** Returns the destination of the query, else the store's own country; null when neither is known. */
export function toDestination(
  store: Store,
  { shipping_method_id: shippingMethodId, ...query }: Static<typeof CartQuery> = {},
): Destination | null {
  const place = readPlace(store, query)
  if (!place && shippingMethodId) throw invalidQuery('country', 'The country of the destination is missing')
  return place && { place, shippingMethodId }
}

/** Returns the store's own country as the destination of a cart; null if it has none. */
export const homeDestination = (store: Store): Destination | null => toDestination(store)

/** Returns the holder of the request's cart. */
export const toCartHolder = ({
  customer,
  cartToken,
}: {
  customer: CustomerCaller | null
  cartToken: string | null
}): CartHolder => ({ customerId: customer?.id ?? null, cartToken })
