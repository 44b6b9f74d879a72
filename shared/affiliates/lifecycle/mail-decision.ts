import type { Affiliate } from '#shared/affiliates/affiliate.ts'
import { affiliateDecidedMail } from '#shared/affiliates/mails/decided.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { queueMailByStaff } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Queues a mail to an affiliate whose status has changed. */
export async function mailDecision(tx: StoreTx, { id, customerId, code, status }: Affiliate): Promise<void> {
  const { email, language, firstname } = await findCustomer(tx, customerId)
  await queueMailByStaff(
    tx,
    affiliateDecidedMail,
    { recordId: id, email, language },
    { firstname, code, status },
  )
}
