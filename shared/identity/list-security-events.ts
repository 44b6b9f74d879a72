import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { rowsOf, type StoreAccount } from './principal.ts'
import { SecurityEvent } from './security-event.ts'

/** Returns a page of an account's events, the latest first, with the total. */
export const listSecurityEvents = async (
  tx: StoreTx,
  account: StoreAccount,
  { page, page_size }: Paged,
): Promise<Page<SecurityEvent>> =>
  SecurityEvent.in(tx)
    .where(rowsOf(tx, account))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .page(page - 1, page_size)
