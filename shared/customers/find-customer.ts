import { CommonErrors } from '../platform/errors.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Customer } from './customer.ts'

/** A customer of the store; 404 `resource.not_found` when it has none with that id. */
export async function findCustomer(tx: StoreTx, id: string): Promise<Customer> {
  const customer = await Customer.in(tx).findById(id)
  if (!customer) throw CommonErrors.notFound()
  return customer
}
