import { CustomerAddress } from '#shared/customers/customer-address.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Deletes all entries of a customer's address book. The caller has locked the customer. */
export async function clearAddressBook(tx: StoreTx, customerId: string): Promise<void> {
  await CustomerAddress.in(tx).where('customer_id', customerId).delete()
}
