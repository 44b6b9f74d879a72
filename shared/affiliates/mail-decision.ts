import { affiliateDecidedMail } from '#shared/affiliates/mails/decided.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { queueMailByStaff } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Affiliate } from './affiliate.ts'

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
