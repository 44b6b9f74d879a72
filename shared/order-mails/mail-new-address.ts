import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import { addressChangedMail } from '#shared/order-mails/mails/address-changed.ts'
import { issueAccessToken } from '#shared/orders/buyers/buyer.ts'
import type { LockedOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Mails the new shipping address of a paid order to its buyer. The store cannot switch that off. Staff can change an
 * address any number of times, so past 20 mails per hour to a mailbox the commit fails with 429 `rate_limit.exceeded`.
 */
export async function mailNewAddress(
  tx: StoreTx,
  { id, number, firstname, email, language, shippingAddress, paymentStatus }: LockedOrder,
): Promise<void> {
  if (paymentStatus === 'unpaid') return
  const { postcode, city, country } = shippingAddress
  await queueMailByStaff(tx, addressChangedMail, toRecipient({ id, email, language }), {
    order_id: id,
    access_token: await issueAccessToken(tx, id),
    number,
    firstname,
    postcode,
    city,
    country,
  })
}
