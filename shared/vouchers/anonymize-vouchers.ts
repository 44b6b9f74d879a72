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
  /** The vouchers whose giver is the person. */
  givenIds: readonly string[]
}

// Indexing the search words of more rows would block the event loop.
const BATCH_SIZE = 500

const IS_RECIPIENT = 'lower(to_email) = any(?)'
const IS_GIVEN = 'id = any(?)'

/**
 * Erases a person from gift vouchers: the message, the giver of those in `givenIds`, and the recipient if that is the
 * person. The codes stay valid.
 */
export async function anonymizeVouchers(
  tx: StoreTx,
  ids: readonly string[],
  { givenIds, ...person }: AnonymizedPerson,
): Promise<void> {
  const given = new Set(givenIds)
  for (const batch of slicesOf(ids, BATCH_SIZE))
    await anonymizeBatch(tx, batch, { ...person, givenIds: batch.filter((id) => given.has(id)) })
}

async function anonymizeBatch(
  tx: StoreTx,
  ids: string[],
  { customerId, verifiedEmails, givenIds }: AnonymizedPerson,
): Promise<void> {
  const address = erasedEmail(customerId)
  const erased = await Voucher.in(tx)
    .whereIn('id', ids)
    .patch({
      fromName: raw(`case when ${IS_GIVEN} then '' else from_name end`, [givenIds]),
      fromEmail: raw(`case when ${IS_GIVEN} then ? else from_email end`, [givenIds, address]),
      message: '',
      metadata: {},
      toName: raw(`case when ${IS_RECIPIENT} then '' else to_name end`, [verifiedEmails]),
      toEmail: raw(`case when ${IS_RECIPIENT} then ? else to_email end`, [verifiedEmails, address]),
      updatedAt: nextUpdatedAtSql(),
    })
    .returning(['id', 'code_end', 'from_name', 'from_email', 'to_name', 'to_email'])
  await indexVouchers(tx, erased)
}
