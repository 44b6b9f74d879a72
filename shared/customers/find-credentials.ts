import { normalizeEmail } from '#shared/identity/email.ts'
import { failuresOf, failuresSql } from '#shared/identity/throttling/failed-sign-ins.ts'
import type { Failures } from '#shared/identity/throttling/failures.ts'
import { readInStore } from '#shared/platform/db/pipelined-query.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'

/** What a password is held against; the hash is null for an account without one. */
export interface CustomerCredentials {
  id: string
  passwordHash: string | null
}

const FIND_CREDENTIALS = {
  name: 'find_customer_credentials',
  text: `
    select c.id, c.password_hash, failed.used, failed.ends_at
    from (select) tried
    left join (${failuresSql(`${CURRENT_STORE}::text`)}) failed on true
    left join customers c on c.store_id = ${CURRENT_STORE} and c.email_normalized = $1`,
}

/**
 * Finds whom an e-mail address belongs to in the store, and how often signing in with it has failed. It opens no
 * transaction: the slow hash comes next.
 */
export async function findCustomerToSignIn(
  storeId: string,
  email: string,
): Promise<{ found: CustomerCredentials | null; failures: Failures }> {
  const [row = []] = await readInStore(storeId, FIND_CREDENTIALS, [normalizeEmail(email)])
  const [id, passwordHash = null, used = null, endsAt = null] = row
  return {
    found: id ? { id, passwordHash } : null,
    failures: failuresOf(storeId, email, [used, endsAt]),
  }
}

/** Finds whom an e-mail address belongs to in the store. */
export const findCustomerCredentials = async (
  storeId: string,
  email: string,
): Promise<CustomerCredentials | null> => (await findCustomerToSignIn(storeId, email)).found
