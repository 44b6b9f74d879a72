import { deactivateCustomer } from '#shared/customers/deactivate-customer.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockWithoutBusiness } from './open-business.ts'

/** Deactivates a customer and keeps the orders. Throws `resource.not_found` and `customer.has_open_business`. */
export async function closeAccount(tx: StoreTx, customerId: string): Promise<void> {
  await deactivateCustomer(tx, await lockWithoutBusiness(tx, customerId))
}
