import { raw } from '#shared/platform/db/model.ts'
import { nextUpdatedAtSql } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { erasedEmail } from '#shared/platform/privacy/erase-fields.ts'
import { findVouchersOfPerson, type PersonOfVouchers } from './find-vouchers-of-person.ts'
import { Voucher } from './voucher.ts'
import { indexVouchers } from './voucher-words.ts'

interface AnonymizedPerson extends PersonOfVouchers {
  customerId: string
}

const IS_RECIPIENT = 'lower(to_email) = any(?)'

/**
 * Erases a person from the gift vouchers that they bought, gave or got: the giver, the message, and the recipient if
 * that is the person. The codes stay valid. Returns the vouchers' ids.
 */
export async function anonymizeVouchers(tx: StoreTx, person: AnonymizedPerson): Promise<string[]> {
  const { customerId, verifiedEmails } = person
  const ids = (await findVouchersOfPerson(tx, person)).map(({ id }) => id)
  const address = erasedEmail(customerId)
  const erased = await Voucher.in(tx)
    .whereIn('id', ids)
    .patch({
      fromName: '',
      fromEmail: address,
      message: '',
      metadata: {},
      toName: raw(`case when ${IS_RECIPIENT} then '' else to_name end`, [verifiedEmails]) as never,
      toEmail: raw(`case when ${IS_RECIPIENT} then ? else to_email end`, [verifiedEmails, address]) as never,
      updatedAt: nextUpdatedAtSql() as never,
    })
    .returning('*')
  await indexVouchers(tx, erased)
  return ids
}
