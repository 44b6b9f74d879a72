import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type EventKind, emit } from '#shared/platform/events/events.ts'
import type { Store } from '#shared/stores/store.ts'
import { ProductErrors } from './errors.ts'
import type { WholeProduct } from './product.ts'
import { viewProduct } from './view.ts'

/**
 * The most bytes of a product with its variants as JSON: a thousand variants with all their fields, or descriptions of
 * 15,000 characters in thirty languages and pictures. It grows by many requests, and lists, events and webhooks hold it
 * whole.
 */
export const MAX_PRODUCT_BYTES = 1024 * 1024

/** Emits an event with the product as it is now. Throws `product.too_large`. */
export async function emitProduct(
  tx: StoreTx,
  kind: EventKind,
  store: Store,
  whole: WholeProduct,
): Promise<void> {
  const view = viewProduct(whole, store)
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_PRODUCT_BYTES)
    throw ProductErrors.tooLarge({ limit: MAX_PRODUCT_BYTES })
  await emit(tx, kind, view)
}
