import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Customer } from './customer.ts'

/** A customer of the store; 404 `resource.not_found` when it has none with that id. */
export const findCustomer = async (tx: StoreTx, id: string): Promise<Customer> =>
  present(await Customer.in(tx).findById(id))

/** The same, locked: what is decided about them is decided one after another. */
export const lockCustomer = async (tx: StoreTx, id: string): Promise<Customer> =>
  present(await Customer.in(tx).findById(id).forNoKeyUpdate())

function present(customer: Customer | undefined): Customer {
  if (!customer) throw CommonErrors.notFound()
  return customer
}
