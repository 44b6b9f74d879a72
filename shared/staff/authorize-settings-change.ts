import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { PAGES, STAFF_PAGES } from '#shared/stores/settings/links.ts'
import type { Store } from '#shared/stores/store.ts'
import type { StoreChange } from '#shared/stores/update-store.ts'
import { ApiTokenErrors } from './errors.ts'
import { lockActor, lockOwner } from './roster.ts'

/** The caller that changes the settings. */
export interface SettingsActor {
  type: 'staff' | 'api_token'
  id: string
  isSupport?: boolean
}

/**
 * Authorizes changes of the links in mails. Links contain tokens that set passwords, so somebody who changes a link
 * could take over accounts. API tokens and support sessions may not change them. Links in mails to customers need the
 * right to change customers. Only the owner changes links in mails to staff. Throws `auth.api_token_forbidden`,
 * `auth.support_forbidden`, `auth.forbidden` and `user.owner_only`.
 */
export const authorizeSettingsChange =
  ({ type, id, isSupport }: SettingsActor) =>
  async (tx: StoreTx, store: Store, { links }: StoreChange): Promise<void> => {
    if (!links) return
    if (type === 'api_token') throw ApiTokenErrors.forbidden()
    if (isSupport) throw AuthErrors.supportForbidden()
    const changed = PAGES.filter((page) => links[page] !== store.links[page])
    if (changed.some((page) => STAFF_PAGES.includes(page))) await lockOwner(tx, id)
    if (changed.some((page) => !STAFF_PAGES.includes(page))) await lockActor(tx, id, 'customers:write')
  }
