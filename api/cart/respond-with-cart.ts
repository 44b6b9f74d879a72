import type { RequestInfo } from '#api/platform/operation/request-info.ts'
import { limitNewCarts } from '#shared/cart/limit-new-carts.ts'
import { priceForDestination } from '#shared/cart/prices/price-for-destination.ts'
import type { CartContents } from '#shared/cart/read-cart.ts'
import { viewCart } from '#shared/cart/views/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { homeDestination } from './read-request.ts'

/**
 * Responds with a changed cart, priced for the store's own country. `token` is the token of a new guest cart, which
 * counts for its network.
 */
export async function respondWithCart(
  cart: CartContents,
  { tx, store, request }: { tx: StoreTx; store: Store; request: RequestInfo },
  token?: string | undefined,
) {
  if (token) limitNewCarts(tx, request.network)
  return viewCart(await priceForDestination(tx, cart, homeDestination(store)), {
    store,
    language: request.language,
    token,
  })
}
