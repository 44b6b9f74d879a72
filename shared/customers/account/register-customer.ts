import type { Customer } from '#shared/customers/customer.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { insertCustomer, type NewCustomer } from './insert-customer.ts'
import { sendVerification } from './verify-email.ts'

/**
 * Opens a customer's account and asks them to verify their address. Throws `auth.email_taken` when the store has one
 * with that address.
 */
export async function registerCustomer(tx: StoreTx, given: NewCustomer): Promise<Customer> {
  const customer = await insertCustomer(tx, given)
  await sendVerification(tx, customer)
  return customer
}
