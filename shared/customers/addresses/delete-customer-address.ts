import { CustomerAddress } from '#shared/customers/customer-address.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'

/** Deletes an entry of a customer's address book. No other entry becomes the default. Throws `resource.not_found`. */
export async function deleteCustomerAddress(tx: StoreTx, customerId: string, id: string): Promise<void> {
  const deleted = await CustomerAddress.in(tx).where({ id, customer_id: customerId }).delete()
  if (!deleted) throw CommonErrors.notFound()
}
