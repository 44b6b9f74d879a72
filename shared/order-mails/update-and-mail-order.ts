import { isDeepStrictEqual } from 'node:util'
import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import { addressChangedMail } from '#shared/order-mails/mails/address-changed.ts'
import { issueAccessToken } from '#shared/orders/buyers/buyer.ts'
import { findOrder, lockOrder, type Order } from '#shared/orders/order.ts'
import { type OrderUpdate, type OrderUpdateOptions, updateOrder } from '#shared/orders/update/update-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Updates an order for staff. A new shipping address of a paid order is mailed to the buyer; the store cannot switch
 * that off. Returns and throws as `updateOrder`.
 */
export async function updateAndMailOrder<Refund>(
  tx: StoreTx,
  orderId: string,
  update: OrderUpdate,
  options: OrderUpdateOptions<Refund>,
): Promise<Refund | null> {
  if (!update.shippingAddress) return updateOrder(tx, orderId, update, options)
  const before = await lockOrder(tx, orderId)
  const refund = await updateOrder(tx, orderId, update, options)
  const after = await findOrder(tx, orderId)
  const isChanged = !isDeepStrictEqual(before.shippingAddress, after.shippingAddress)
  if (isChanged && before.paymentStatus !== 'unpaid') await mailNewAddress(tx, after)
  return refund
}

async function mailNewAddress(
  tx: StoreTx,
  { id, number, firstname, email, language, shippingAddress }: Order,
): Promise<void> {
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
