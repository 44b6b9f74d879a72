import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { SettingsChange } from '#shared/stores/change-settings.ts'
import { STAFF_PAGES } from '#shared/stores/links.ts'
import type { Store } from '#shared/stores/store.ts'
import { ApiTokenErrors } from './api-tokens/errors.ts'
import { lockOwner } from './roster.ts'

/** The caller that changes the settings. */
export interface SettingsActor {
  type: 'staff' | 'api_token'
  id: string
  isSupport?: boolean
}

/**
 * Authorizes changes of the links in mails. Such a link carries a token that sets a password, so a person who changes it could
 * take over accounts: API tokens and support sessions may not, and only the owner may change the links in mails to
 * staff. Throws `auth.api_token_forbidden`, `auth.support_forbidden` and `user.owner_only`.
 */
export const authorizeSettingsChange =
  ({ type, id, isSupport }: SettingsActor) =>
  async (tx: StoreTx, store: Store, { links }: SettingsChange): Promise<void> => {
    if (!links) return
    if (type === 'api_token') throw ApiTokenErrors.forbidden()
    if (isSupport) throw AuthErrors.supportForbidden()
    if (STAFF_PAGES.some((page) => links[page] !== store.links[page])) await lockOwner(tx, id)
  }
