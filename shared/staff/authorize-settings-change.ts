import { AuthErrors } from '#shared/identity/errors.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { StoreChange } from '#shared/stores/lifecycle/update-store.ts'
import { type Links, PAGES, STAFF_PAGES } from '#shared/stores/settings/links.ts'
import type { Store } from '#shared/stores/store.ts'
import { ApiTokenErrors } from './errors.ts'
import { assertMay, OPENS_CUSTOMER_ACCOUNTS, type Right, type RightsHolder } from './rights.ts'
import { lockActor, lockOwner } from './roster.ts'

/** The caller that changes the settings. */
export interface SettingsActor extends RightsHolder {
  type: 'staff' | 'api_token'
  id: string
  isSupport?: boolean
}

/** The rights to read what is mailed to the store: new questions, and replies to mails about accounts and orders. */
const READS_STORE_MAILS: readonly Right[] = ['content:read', 'customers:read', 'sales:read']

/**
 * Authorizes changes of the store's address and of the links in mails. Links contain tokens that set passwords or show
 * a guest's order, so somebody who changes a link could take over accounts and read orders. API tokens and support
 * sessions may not change them. Links in mails to customers need the rights to open customers' accounts.
 * Only the owner changes links in mails to staff. Another address needs the rights to read what is mailed to it.
 * Support sessions may not change it, because it receives mails after the session. Throws `auth.api_token_forbidden`,
 * `auth.support_forbidden`, `auth.forbidden` and `user.owner_only`.
 */
export const authorizeSettingsChange =
  (actor: SettingsActor) =>
  async (tx: StoreTx, store: Store, { email = store.email, links }: StoreChange): Promise<void> => {
    if (email !== store.email) authorizeEmail(actor)
    if (links) await authorizeLinks(tx, actor, { before: store.links, after: links })
  }

function authorizeEmail(actor: SettingsActor): void {
  assertMay(actor, ...READS_STORE_MAILS)
  if (actor.isSupport) throw AuthErrors.supportForbidden()
}

async function authorizeLinks(
  tx: StoreTx,
  { type, id, isSupport }: SettingsActor,
  { before, after }: { before: Links; after: Links },
): Promise<void> {
  if (type === 'api_token') throw ApiTokenErrors.forbidden()
  if (isSupport) throw AuthErrors.supportForbidden()
  const changed = PAGES.filter((page) => after[page] !== before[page])
  if (changed.some((page) => STAFF_PAGES.includes(page))) await lockOwner(tx, id)
  if (changed.some((page) => !STAFF_PAGES.includes(page))) await lockActor(tx, id, ...OPENS_CUSTOMER_ACCOUNTS)
}
