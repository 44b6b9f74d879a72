import type { Customer } from '#shared/customers/customer.ts'
import { assertPlainEmail } from '#shared/identity/email.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { insertCustomer, type NewCustomer } from './insert-customer.ts'
import { sendVerification } from './verify-email.ts'

/**
 * Creates a customer and mails a link to verify the address. Throws `auth.email_taken` if a customer of the store has
 * it.
 */
export async function registerCustomer(tx: StoreTx, given: NewCustomer): Promise<Customer> {
  const customer = await insertCustomer(tx, given)
  // Check after the insert, so that a taken address throws `auth.email_taken`.
  assertPlainEmail(given.email)
  await sendVerification(tx, customer)
  return customer
}
