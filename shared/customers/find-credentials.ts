import { normalizeEmail } from '../accounts/email.ts'
import { readInStore } from '../platform/one-round-trip.ts'
import { STORE } from '../platform/statement.ts'

/** What a password is held against; the hash is null for an account without one. */
export interface CustomerCredentials {
  id: string
  passwordHash: string | null
}

const FIND_CREDENTIALS = {
  name: 'find_customer_credentials',
  text: `
    select id, password_hash from customers
    where store_id = ${STORE} and email_normalized = $1`,
}

/** Finds whom an e-mail address belongs to in the store. It opens no transaction: the slow hash comes next. */
export async function findCustomerCredentials(
  storeId: string,
  email: string,
): Promise<CustomerCredentials | null> {
  const [row] = await readInStore(storeId, FIND_CREDENTIALS, [normalizeEmail(email)])
  return row?.[0] ? { id: row[0], passwordHash: row[1] ?? null } : null
}
