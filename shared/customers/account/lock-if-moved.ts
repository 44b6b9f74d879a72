import { Customer } from '#shared/customers/customer.ts'
import { isSameMailbox } from '#shared/identity/email.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Locks a customer before a change of the e-mail address, so that nobody claims the account until then. Returns the
 * customer if the new address is another mailbox; undefined if it is the same, or for an unknown customer.
 */
export async function lockIfMoved(tx: StoreTx, id: string, email: string): Promise<Customer | undefined> {
  const customer = await Customer.in(tx).findById(id).forUpdate()
  return customer && !isSameMailbox(email, customer.email) ? customer : undefined
}
