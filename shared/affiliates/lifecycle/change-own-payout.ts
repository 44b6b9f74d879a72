import { Affiliate, findAffiliateOfCustomer, lockAffiliate } from '#shared/affiliates/affiliate.ts'
import { affiliatePayoutChangedMail } from '#shared/affiliates/mails/payout-changed.ts'
import { type PayoutDetails, sealPayoutDetails } from '#shared/affiliates/payout-details.ts'
import type { Device } from '#shared/identity/device.ts'
import { deviceFacts } from '#shared/identity/mails/device.ts'
import { queueMailByCustomer, toRecipient } from '#shared/mail/queue-mail.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { findVerifiedCustomer } from './find-verified-customer.ts'

/**
 * Changes the payout details of a customer's affiliate account, and notifies the customer by mail. Throws
 * `resource.not_found` for a customer without an account, and `affiliate.email_unverified`.
 */
export async function changeOwnPayout(
  tx: StoreTx,
  customerId: string,
  payout: PayoutDetails | null,
  device: Device,
): Promise<Affiliate> {
  const customer = await findVerifiedCustomer(tx, customerId)
  const found = assertFound(await findAffiliateOfCustomer(tx, customerId))
  const changed = await savePayout(tx, await lockAffiliate(tx, found.id), payout)
  const data = {
    firstname: customer.firstname,
    is_by_staff: false,
    is_removed: payout === null,
    ...deviceFacts(device),
  }
  await queueMailByCustomer(
    tx,
    affiliatePayoutChangedMail,
    toRecipient({ ...customer, id: changed.id }),
    data,
  )
  return changed
}

/**
 * Erases the payout details of a customer's affiliate account, if there is one. Somebody else may have had staff enter
 * them before the customer proved the address.
 */
export async function discardPayout(tx: StoreTx, customerId: string): Promise<void> {
  const found = await findAffiliateOfCustomer(tx, customerId)
  if (found) await savePayout(tx, await lockAffiliate(tx, found.id), null)
}

async function savePayout(
  tx: StoreTx,
  affiliate: Affiliate,
  payout: PayoutDetails | null,
): Promise<Affiliate> {
  const changed = {
    payoutSealed: sealPayoutDetails(payout, affiliate),
    updatedAt: nextUpdatedAt(affiliate),
  }
  await Affiliate.in(tx).findById(affiliate.id).patch(changed)
  return affiliate.with(changed)
}
