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
 * Refuses changes of the links in mails to callers that could take over accounts with them: such a link carries a token
 * to the page where the password is set. API tokens and support sessions change none, and only the owner changes the
 * links in mails to staff. Throws `auth.api_token_forbidden`, `auth.support_forbidden` and `user.owner_only`.
 */
export const authorizeSettingsChange =
  ({ type, id, isSupport }: SettingsActor) =>
  async (tx: StoreTx, store: Store, { links }: SettingsChange): Promise<void> => {
    if (!links) return
    if (type === 'api_token') throw ApiTokenErrors.forbidden()
    if (isSupport) throw AuthErrors.supportForbidden()
    if (STAFF_PAGES.some((page) => links[page] !== store.links[page])) await lockOwner(tx, id)
  }
