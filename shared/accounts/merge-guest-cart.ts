import { mergeCart } from '#shared/cart/merge-cart.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SignInClient } from './sign-in-client.ts'

/** Merges the cart of the guest who signs in, if there is one, into the customer's cart. */
export async function mergeGuestCart(
  tx: StoreTx,
  customerId: string,
  { cartToken }: SignInClient,
): Promise<void> {
  if (cartToken) await mergeCart(tx, { cartToken, customerId })
}
