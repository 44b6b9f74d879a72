import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { Cart, type CartHolder } from './cart.ts'
import { openCart } from './open-cart.ts'
import { type CartContents, loadCart } from './read-cart.ts'

/** Changes the metadata of the holder's cart, creates the cart if necessary, and returns it priced. Throws 422 for too many keys. */
export async function changeMetadata(
  tx: StoreTx,
  holder: CartHolder,
  change: MetadataChange,
): Promise<{ cart: CartContents; token: string | undefined }> {
  const { id, token } = await openCart(tx, holder)
  const { metadata } = await Cart.in(tx).findById(id).throwIfNotFound()
  await Cart.in(tx)
    .findById(id)
    .patch({ metadata: mergeMetadata(metadata, change) })
  return { cart: await loadCart(tx, id), token }
}
