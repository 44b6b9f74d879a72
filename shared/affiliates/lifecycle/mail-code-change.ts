import type { Affiliate } from '#shared/affiliates/affiliate.ts'
import { affiliateCodeChangedMail } from '#shared/affiliates/mails/code-changed.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { queueMailByStaff } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Queues a mail to an affiliate whose code has changed. */
export async function mailCodeChange(
  tx: StoreTx,
  { id, customerId, code }: Affiliate,
  formerCode: string,
): Promise<void> {
  const { email, language, firstname } = await findCustomer(tx, customerId)
  await queueMailByStaff(
    tx,
    affiliateCodeChangedMail,
    { recordId: id, email, language },
    { firstname, formerCode, code },
  )
}
