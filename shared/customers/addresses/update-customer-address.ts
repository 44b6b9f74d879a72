import {
  CustomerAddress,
  clearDefaults,
  type Defaults,
  lockAddressBook,
} from '#shared/customers/customer-address.ts'
import type { PostalAddress } from '#shared/geo/address.ts'
import { assertPlace } from '#shared/geo/place.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'

/** Changes of an address: absent fields stay, null removes a field. */
export type AddressChanges = { [Field in keyof PostalAddress]?: PostalAddress[Field] | null }

/**
 * Changes an entry of a customer's address book. A new default replaces the former one. Throws
 * `resource.not_found`, and 422 for an unknown country or a zone of another country.
 */
export async function updateCustomerAddress(
  tx: StoreTx,
  customerId: string,
  id: string,
  changes: AddressChanges,
  defaults: Defaults,
): Promise<CustomerAddress> {
  await lockAddressBook(tx, customerId)
  const before = assertFound(await CustomerAddress.in(tx).findById(id).where('customer_id', customerId))
  const address = merge(before.address, changes)
  assertPlace(address)

  await clearDefaults(tx, customerId, defaults)
  return CustomerAddress.in(tx).patchAndFetchById(id, {
    address,
    ...defaults,
    updatedAt: nextUpdatedAt(before),
  })
}

const merge = (before: PostalAddress, changes: AddressChanges): PostalAddress =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null),
  ) as PostalAddress
