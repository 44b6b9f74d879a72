import { Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { indexCustomer } from '#shared/customers/customer-words.ts'
import { customerUpdated } from '#shared/customers/events.ts'
import { normalizeEmail } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { sqlState, UNIQUE_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { emit } from '#shared/platform/events/events.ts'
import { now } from '#shared/platform/time/clock.ts'
import { recordFirstProof } from './verify-email.ts'

/** Whether a customer of the store has the address. */
export const isCustomerEmail = async (tx: StoreTx, emailNormalized: string): Promise<boolean> =>
  (await Customer.in(tx).findOne('email_normalized', emailNormalized)) !== undefined

/**
 * Changes a customer's address to a proven one. The caller handles links, sessions and notices. Throws
 * `auth.email_taken` if another customer of the store has the address.
 */
export async function setCustomerEmail(tx: StoreTx, id: string, email: string): Promise<void> {
  const customer = assertFound(await saveEmail(tx, id, email))
  if (customer.verifiedAt) await recordFirstProof(tx, id, customer.verifiedAt)
  await indexCustomer(tx, customer)
  await emit(tx, customerUpdated, viewCustomerEvent(customer))
}

// The unique key decides, not an earlier read, so that one of two concurrent claims of an address is refused.
async function saveEmail(tx: StoreTx, id: string, email: string): Promise<Customer | undefined> {
  const at = now()
  try {
    const [customer] = await Customer.in(tx)
      .where({ id })
      .patch({ email, emailNormalized: normalizeEmail(email), verifiedAt: at, updatedAt: at })
      .returning('*')
    return customer
  } catch (error) {
    throw sqlState(error) === UNIQUE_VIOLATION ? AuthErrors.emailTaken() : error
  }
}
