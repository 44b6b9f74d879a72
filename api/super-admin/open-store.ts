import type { Static } from 'typebox'
import { hashPassword } from '#shared/accounts/password.ts'
import { randomToken } from '#shared/platform/crypto.ts'
import { newId } from '#shared/platform/id.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { invite } from '#shared/staff/invite.ts'
import { viewStaffMember } from '#shared/staff/view.ts'
import { viewStoreRecord } from '#shared/stores/record-view.ts'
import { openStore as open } from '#shared/super-admin/open-store.ts'
import type { Recorder } from '../platform/audit.ts'
import type { NewStoreBody } from './schemas.ts'

/**
 * Opens a store for its owner, who is invited to choose a password where none is given. The hash is made first: no
 * connection waits for it.
 */
export async function openStore({ owner, ...given }: Static<typeof NewStoreBody>, audited: Recorder) {
  const { password, ...person } = owner
  const passwordHash = await hashPassword(password ?? randomToken())
  const { time_zone: timeZone, languages, ...rest } = given
  const [first = '', ...others] = languages
  return inStore(newId(), async (tx) => {
    const store = { ...rest, timeZone, languages: [first, ...others] as [string, ...string[]] }
    const opened = await open(tx, store, { ...person, passwordHash })
    if (!password) await invite(tx, opened.owner)
    const view = { ...viewStoreRecord(opened.store), owner: viewStaffMember(opened.owner) }
    await audited(tx, view)
    return view
  })
}
