import type { Static } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { insertStaffMember } from '#shared/staff/members/insert-staff-member.ts'
import { invite } from '#shared/staff/members/invite.ts'
import { OWNER_ROLE } from '#shared/staff/rights.ts'
import { viewStaffMember } from '#shared/staff/staff-member.ts'
import { insertStore } from '#shared/stores/lifecycle/create-store.ts'
import { viewStoreRecord } from '#shared/stores/view.ts'
import type { NewStoreBody, StoreWithOwnerView } from './super-admin-schemas.ts'

/** Creates the transaction's store and its owner. An owner without a password is invited by mail to choose one. */
export async function openStore(
  tx: StoreTx,
  { owner, time_zone: timeZone, languages, ...rest }: Static<typeof NewStoreBody>,
  passwordHash: string,
): Promise<Static<typeof StoreWithOwnerView>> {
  const { password, ...person } = owner
  const store = await insertStore(tx, { ...rest, timeZone, languages: languages as [string, ...string[]] })
  const member = await insertStaffMember(tx, { ...person, passwordHash, role: OWNER_ROLE, isOwner: true })
  if (!password) await invite(tx, member)
  return { ...viewStoreRecord(store), owner: viewStaffMember(member) }
}
