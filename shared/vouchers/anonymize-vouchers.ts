import { raw } from '#shared/platform/db/model.ts'
import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { erasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'
import { Voucher } from './voucher.ts'
import { indexVouchers } from './voucher-words.ts'

interface AnonymizedPerson {
  customerId: string
  /** In lower case. */
  verifiedEmails: readonly string[]
  orderIds: readonly string[]
}

// Indexing the search words of more rows would block the event loop.
const BATCH_SIZE = 500

const IS_RECIPIENT = 'lower(to_email) = any(?)'
const IS_BUYER = '(order_item_id is not null and order_id = any(?))'

/**
 * Erases a person from their gift vouchers: the message, the giver of those that the person bought, and the recipient
 * if that is the person. The giver of a voucher from staff is the store, which stays. The codes stay valid. Returns the
 * ids.
 */
export async function anonymizeVouchers(
  tx: StoreTx,
  ids: string[],
  person: AnonymizedPerson,
): Promise<string[]> {
  for (const batch of slicesOf(ids, BATCH_SIZE)) await anonymizeBatch(tx, batch, person)
  return ids
}

async function anonymizeBatch(
  tx: StoreTx,
  ids: string[],
  { customerId, verifiedEmails, orderIds }: AnonymizedPerson,
): Promise<void> {
  const address = erasedEmail(customerId)
  const erased = await Voucher.in(tx)
    .whereIn('id', ids)
    .patch({
      fromName: raw(`case when ${IS_BUYER} then '' else from_name end`, [orderIds]),
      fromEmail: raw(`case when ${IS_BUYER} then ? else from_email end`, [orderIds, address]),
      message: '',
      metadata: {},
      toName: raw(`case when ${IS_RECIPIENT} then '' else to_name end`, [verifiedEmails]),
      toEmail: raw(`case when ${IS_RECIPIENT} then ? else to_email end`, [verifiedEmails, address]),
      updatedAt: nextUpdatedAtSql(),
    })
    .returning(['id', 'code_end', 'from_name', 'from_email', 'to_name', 'to_email'])
  await indexVouchers(tx, erased)
}
