import type { Static } from 'typebox'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { invite } from '#shared/staff/invite.ts'
import { viewStaffMember } from '#shared/staff/view.ts'
import { viewStoreRecord } from '#shared/stores/record-view.ts'
import { openStore as open } from '#shared/super-admin/open-store.ts'
import type { NewStoreBody, StoreWithOwnerView } from './schemas.ts'

/** Opens a store for its owner, who is invited to choose a password where none is given. */
export async function openStore(
  tx: StoreTx,
  { owner, time_zone: timeZone, languages, ...rest }: Static<typeof NewStoreBody>,
  passwordHash: string,
): Promise<Static<typeof StoreWithOwnerView>> {
  const { password, ...person } = owner
  const [first = '', ...others] = languages
  const store = { ...rest, timeZone, languages: [first, ...others] as [string, ...string[]] }
  const opened = await open(tx, store, { ...person, passwordHash })
  if (!password) await invite(tx, opened.owner)
  return { ...viewStoreRecord(opened.store), owner: viewStaffMember(opened.owner) }
}
