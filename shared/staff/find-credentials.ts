import { normalizeEmail, STAFF } from '#shared/identity/email.ts'
import { failuresOf, failuresSql } from '#shared/identity/throttling/failed-sign-ins.ts'
import type { Failures } from '#shared/identity/throttling/failures.ts'
import { readInResolvedStore } from '#shared/platform/db/pipelined-query.ts'
import type { Store } from '#shared/stores/store.ts'

/** What a staff member's password is held against, and the store that the member works for. */
export interface StaffCredentials {
  storeId: string
  storeStatus: Store['status']
  id: string
  passwordHash: string
}

const FIND_STORE = {
  name: 'find_staff_store',
  text: 'select store_id from staff_directory where email_normalized = $1',
}

const FIND_CREDENTIALS = {
  name: 'find_staff_credentials',
  text: `
    select m.store_id, s.status, m.id, m.password_hash, failed.used, failed.ends_at
    from (select) tried
    left join (${failuresSql(`'${STAFF}'`)}) failed on true
    left join (
      staff_directory d
      join staff_members m on m.store_id = d.store_id and m.id = d.staff_id
      join stores s on s.id = d.store_id
    ) on d.email_normalized = $1`,
}

/**
 * Finds whom an e-mail address belongs to among the staff of all stores, and how often signing in with it has failed.
 * It opens no transaction.
 */
export async function findStaffToSignIn(
  email: string,
): Promise<{ found: StaffCredentials | null; failures: Failures }> {
  const [row = []] = await readInResolvedStore(FIND_STORE, FIND_CREDENTIALS, [normalizeEmail(email)])
  const [storeId, storeStatus, id, passwordHash, used = null, endsAt = null] = row
  const isFound = storeId && id && passwordHash
  return {
    found: isFound ? { storeId, storeStatus: storeStatus as Store['status'], id, passwordHash } : null,
    failures: failuresOf(STAFF, email, [used, endsAt]),
  }
}

/** Finds whom an e-mail address belongs to among the staff of all stores. */
export const findStaffCredentials = async (email: string): Promise<StaffCredentials | null> =>
  (await findStaffToSignIn(email)).found
