import type { StoreTx } from '../platform/store-scope.ts'
import { invalid } from '../platform/validation.ts'
import { insertStaffMember, type NewStaffMember } from '../staff/insert-staff-member.ts'
import { OWNER_ROLE } from '../staff/roles.ts'
import type { StaffMember } from '../staff/staff-member.ts'
import { assertConsistent } from '../stores/change-settings.ts'
import { insertStore, type NewStore } from '../stores/create-store.ts'
import { readStoreRecord, type StoreRecord } from '../stores/store-record.ts'

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

export type NewOwner = Omit<NewStaffMember, 'role' | 'isOwner'>

/**
 * Opens a store for its owner, in a transaction whose store is the new one. Throws `store.slug_taken`,
 * `auth.email_taken`, `domain.taken`, and 422 for a currency, time zone or country that there is not.
 */
export async function openStore(
  tx: StoreTx,
  store: NewStore,
  owner: NewOwner,
): Promise<{ store: StoreRecord; owner: StaffMember }> {
  if (!CURRENCIES.has(store.currency))
    throw invalid(['body', 'currency'], 'Use a currency code of ISO 4217 such as EUR', store.currency)
  assertConsistent({ ...store, defaultLanguage: store.languages[0], country: store.country ?? null })
  await insertStore(tx, store)
  const member = await insertStaffMember(tx, { ...owner, role: OWNER_ROLE, isOwner: true })
  return { store: await readStoreRecord(tx), owner: member }
}
