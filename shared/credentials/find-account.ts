import { findCustomerCredentials } from '#shared/customers/find-credentials.ts'
import type { AccountName } from '#shared/identity/account.ts'
import { findStaffCredentials } from '#shared/staff/find-credentials.ts'

/** Where an address leads: a customer's in its store, a staff member's wherever they work. */
export interface FoundAccount {
  storeId: string
  account: AccountName
}

/** Finds whom an e-mail address belongs to. Where a store is named, another store's staff are strangers. */
export async function findAccount(
  type: AccountName['type'],
  storeId: string | null,
  email: string,
): Promise<FoundAccount | null> {
  if (type === 'customer') {
    const found = storeId ? await findCustomerCredentials(storeId, email) : null
    return found && storeId ? { storeId, account: { type, id: found.id } } : null
  }
  const found = await findStaffCredentials(email)
  if (!found || (storeId && found.storeId !== storeId)) return null
  return { storeId: found.storeId, account: { type, id: found.id } }
}
