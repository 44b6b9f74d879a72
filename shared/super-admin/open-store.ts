import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invalid } from '#shared/platform/validation.ts'
import { insertStaffMember, type NewStaffMember } from '#shared/staff/insert-staff-member.ts'
import { OWNER_ROLE } from '#shared/staff/roles.ts'
import type { StaffMember } from '#shared/staff/staff-member.ts'
import { assertConsistent } from '#shared/stores/change-settings.ts'
import { insertStore, type NewStore } from '#shared/stores/create-store.ts'
import { readStoreRecord, type StoreRecord } from '#shared/stores/store-record.ts'

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
    throw invalid(['currency'], 'Use a currency code of ISO 4217 such as EUR', store.currency)
  assertConsistent({ ...store, defaultLanguage: store.languages[0], country: store.country ?? null })
  await insertStore(tx, store)
  const member = await insertStaffMember(tx, { ...owner, role: OWNER_ROLE, isOwner: true })
  return { store: await readStoreRecord(tx), owner: member }
}
