import type { Affiliate } from '#shared/affiliates/affiliate.ts'
import { affiliatePayoutChangedMail } from '#shared/affiliates/mails/payout-changed.ts'
import { findCustomer } from '#shared/customers/customer.ts'
import { NO_DEVICE } from '#shared/identity/device.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { queueMailOfChange } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/** Queues a mail to an affiliate whose payout details staff have changed or removed. */
export async function mailPayoutChange(
  tx: StoreTx,
  { id, customerId, payoutSealed }: Affiliate,
  actorId: string,
): Promise<void> {
  const { email, language, firstname } = await findCustomer(tx, customerId)
  await queueMailOfChange(
    tx,
    affiliatePayoutChangedMail,
    { recordId: id, email, language },
    { firstname, is_by_staff: true, is_removed: payoutSealed === null, ...deviceFacts(NO_DEVICE) },
    actorId,
  )
}
