import { normalizeEmail } from '../accounts/email.ts'
import { readInStore, readPlatform } from '../platform/one-round-trip.ts'

/** What a staff member's password is held against, and the store that the member works for. */
export interface StaffCredentials {
  storeId: string
  id: string
  passwordHash: string
}

const FIND_STORE = {
  name: 'find_staff_store',
  text: 'select store_id, staff_id from staff_directory where email_normalized = $1',
}

const FIND_HASH = {
  name: 'find_staff_hash',
  text: `
    select password_hash from staff_members
    where store_id = current_setting('app.store_id')::uuid and id = $1::uuid`,
}

/** Finds whom an e-mail address belongs to among the staff of all stores. It opens no transaction. */
export async function findStaffCredentials(email: string): Promise<StaffCredentials | null> {
  const [entry] = await readPlatform(FIND_STORE, [normalizeEmail(email)])
  const [storeId, id] = entry ?? []
  if (!storeId || !id) return null
  const [row] = await readInStore(storeId, FIND_HASH, [id])
  return row?.[0] ? { storeId, id, passwordHash: row[0] } : null
}
