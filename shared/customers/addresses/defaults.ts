import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Customer } from '../customer.ts'
import { CustomerAddress } from './customer-address.ts'

/** What an address is, or is to be, the default for. */
export interface Defaults {
  isDefaultShipping?: boolean
  isDefaultBilling?: boolean
}

/** Puts the changes of an address book in a queue: of two at once, both must not see the place of a default free. */
export const lockAddressBook = (tx: StoreTx, customerId: string) =>
  Customer.in(tx).findById(customerId).forNoKeyUpdate()

/** Takes from the customer's addresses what another is to be the default for. */
export async function vacateDefaults(
  tx: StoreTx,
  customerId: string,
  { isDefaultShipping, isDefaultBilling }: Defaults,
): Promise<void> {
  if (isDefaultShipping) await vacate(tx, customerId, { isDefaultShipping: false })
  if (isDefaultBilling) await vacate(tx, customerId, { isDefaultBilling: false })
}

const vacate = (tx: StoreTx, customerId: string, taken: Defaults) =>
  CustomerAddress.in(tx).where('customer_id', customerId).patch(taken)
