import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { Cart, type CartHolder } from './cart.ts'
import { openCart } from './open-cart.ts'
import { type CartContents, loadCart } from './read-cart.ts'

/**
 * Changes the metadata of the holder's cart, and creates the cart if necessary. Returns the cart, and the token of a
 * new guest cart. Throws 422 for too many keys.
 */
export async function updateCartMetadata(
  tx: StoreTx,
  holder: CartHolder,
  change: MetadataChange,
): Promise<{ cart: CartContents; token: string | undefined }> {
  const { id, token } = await openCart(tx, holder)
  // The cart is locked, so this reads every concurrent change.
  const { metadata } = await Cart.in(tx).findById(id).throwIfNotFound()
  await Cart.in(tx)
    .findById(id)
    .patch({ metadata: mergeMetadata(metadata, change) })
  return { cart: await loadCart(tx, id), token }
}
