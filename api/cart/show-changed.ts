import type { RequestInfo } from '#api/platform/pipeline/operation.ts'
import { priceAt } from '#shared/cart/price-at.ts'
import type { PricedCart } from '#shared/cart/read-cart.ts'
import { viewCart } from '#shared/cart/view.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Store } from '#shared/stores/store.ts'
import { homeOf } from './destination.ts'

/** Shows a cart that was changed, priced for the store's own country. `token` is that of a guest's new cart. */
export async function showChanged(
  cart: PricedCart,
  { tx, store, request }: { tx: StoreTx; store: Store; request: RequestInfo },
  token?: string | undefined,
) {
  return viewCart(await priceAt(tx, cart, homeOf(store)), { store, language: request.language, token })
}
