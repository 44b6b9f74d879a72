import { Customer, isClaimed } from '#shared/customers/customer.ts'
import { isSameMailbox } from '#shared/identity/email.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Whether a new address moves an account that somebody may sign in to, to another mailbox. Locks the customer as the
 * change itself does, so that nobody claims the account before it.
 */
export async function movesClaimedAccount(tx: StoreTx, id: string, email: string): Promise<boolean> {
  const customer = await Customer.in(tx).findById(id).forUpdate()
  return customer !== undefined && isClaimed(customer) && !isSameMailbox(email, customer.email)
}
