import type { Payment } from '#shared/payments/payment.ts'

/** Returns the metadata by which the gateway's notifications find a payment whose reference is not recorded yet. */
export const metadataOf = ({ id, storeId, orderId }: Pick<Payment, 'id' | 'storeId' | 'orderId'>) => ({
  store_id: storeId,
  order_id: orderId,
  payment_id: id,
})
