import {
  CustomerAddress,
  clearDefaults,
  type Defaults,
  lockAddressBook,
  MAX_ADDRESSES,
} from '#shared/customers/customer-address.ts'
import { AddressErrors } from '#shared/customers/errors.ts'
import type { PostalAddress } from '#shared/geo/address.ts'
import { assertPlace } from '#shared/geo/place.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'

/**
 * Adds an address to a customer's address book. The first address is the default for shipping and billing, unless
 * `requested` says otherwise. Throws `address.limit_reached`, and 422 for an unknown country or a zone of another
 * country.
 */
export async function createCustomerAddress(
  tx: StoreTx,
  customerId: string,
  address: PostalAddress,
  requested: Defaults,
): Promise<CustomerAddress> {
  assertPlace(address)
  await lockAddressBook(tx, customerId)
  const count = await CustomerAddress.in(tx).where('customer_id', customerId).resultSize()
  if (count >= MAX_ADDRESSES) throw AddressErrors.limitReached()
  const isFirst = count === 0
  const defaults = {
    isDefaultShipping: requested.isDefaultShipping ?? isFirst,
    isDefaultBilling: requested.isDefaultBilling ?? isFirst,
  }
  await clearDefaults(tx, customerId, defaults)
  const at = now()
  return CustomerAddress.in(tx)
    .insert({ customerId, address, ...defaults, createdAt: at, updatedAt: at })
    .returning('*')
}
