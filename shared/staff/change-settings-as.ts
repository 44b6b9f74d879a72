import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { changeSettings, type SettingsChange } from '#shared/stores/change-settings.ts'
import { type Links, STAFF_PAGES } from '#shared/stores/links.ts'
import type { Store } from '#shared/stores/store.ts'
import { actAsOwner } from './act-as-owner.ts'
import { ApiTokenErrors } from './api-tokens/errors.ts'
import { lockRoster } from './lock-roster.ts'

/** Whoever changes the settings. */
export interface SettingsActor {
  type: 'staff' | 'api_token'
  id: string
  isSupport?: boolean
}

/**
 * As `changeSettings`, in somebody's name. Throws `auth.api_token_forbidden`, `auth.support_forbidden` and
 * `user.owner_only` besides.
 */
export async function changeSettingsAs(
  tx: StoreTx,
  actor: SettingsActor,
  change: SettingsChange,
  ifMatch: string | undefined,
): Promise<Store> {
  if (change.links) await assertMayRelink(tx, actor, change.links)
  return changeSettings(tx, change, ifMatch)
}

/**
 * Mails lead by these links to where passwords are chosen, with a token: whoever says where that is could take the
 * accounts. So it is no program's business, nor that of who came to help; and where the staff's mails lead, the owner's
 * among them, is the owner's.
 */
async function assertMayRelink(
  tx: StoreTx,
  { type, id, isSupport }: SettingsActor,
  links: Links,
): Promise<void> {
  if (type === 'api_token') throw ApiTokenErrors.forbidden()
  if (isSupport) throw AuthErrors.supportForbidden()
  await lockRoster(tx)
  const { links: present } = await tx.knex('stores').where('id', tx.storeId).first('links')
  if (STAFF_PAGES.some((page) => links[page] !== present[page])) await actAsOwner(tx, id)
}
