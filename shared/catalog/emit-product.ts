import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type EventKind, emit } from '#shared/platform/events/events.ts'
import type { Store } from '#shared/stores/store.ts'
import { ProductErrors } from './errors.ts'
import type { WholeProduct } from './product.ts'
import { type ProductView, viewProduct } from './view.ts'

/**
 * The most bytes of a product with its variants as JSON. A thousand variants with all fields fit, or descriptions of
 * 15,000 characters in thirty languages with images. Many small requests can let a product grow, and lists, events and
 * webhooks hold it in memory as a whole.
 */
export const MAX_PRODUCT_BYTES = 1024 * 1024

/** Emits an event with the present state of the product. Throws `product.too_large`. */
export async function emitProduct(
  tx: StoreTx,
  kind: EventKind<typeof ProductView>,
  store: Store,
  whole: WholeProduct,
): Promise<void> {
  const view = viewProduct(whole, store)
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_PRODUCT_BYTES)
    throw ProductErrors.tooLarge({ limit: MAX_PRODUCT_BYTES })
  await emit(tx, kind, view)
}
