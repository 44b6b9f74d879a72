import { Customer } from '#shared/customers/customer.ts'
import { isSameMailbox } from '#shared/identity/email.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Locks a customer whom a new address moves to another mailbox, as the change itself does, so that nobody claims the
 * account before it. Returns nothing for an unknown customer, and if the mailbox stays the same.
 */
export async function lockIfMoved(tx: StoreTx, id: string, email: string): Promise<Customer | undefined> {
  const customer = await Customer.in(tx).findById(id).forUpdate()
  return customer && !isSameMailbox(email, customer.email) ? customer : undefined
}
