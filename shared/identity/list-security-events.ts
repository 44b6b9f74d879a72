import type { Page, Paged } from '#shared/platform/db/list-query.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type AccountName, rowsOf } from './account.ts'
import { SecurityEvent } from './security-event.ts'

/** A page of what befell an account, the latest first, and how much there is in all. */
export const listSecurityEvents = async (
  tx: StoreTx,
  account: AccountName,
  { page, page_size }: Paged,
): Promise<Page<SecurityEvent>> =>
  SecurityEvent.in(tx)
    .where(rowsOf(account))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .page(page - 1, page_size)
