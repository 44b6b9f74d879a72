import { discardPayout } from '#shared/affiliates/lifecycle/change-own-payout.ts'
import { clearCart } from '#shared/cart/clear-cart.ts'
import { updateProfile } from '#shared/customers/account/update-profile.ts'
import { clearAddressBook } from '#shared/customers/addresses/clear-address-book.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Deletes what can lead the goods or money of a customer to another person, who may have registered the account with
 * the customer's address: the address book, the telephone number, the cart with its metadata and gift vouchers, and
 * payout details. Orders stay. The caller has locked the customer.
 */
export async function discardUnprovenData(tx: StoreTx, customerId: string): Promise<void> {
  await clearAddressBook(tx, customerId)
  await clearCart(tx, { customerId, cartToken: null })
  await updateProfile(tx, customerId, { telephone: null })
  await discardPayout(tx, customerId)
}
