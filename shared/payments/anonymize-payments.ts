import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Payment } from './payment.ts'

/**
 * Erases personal data of the payments of orders: client secrets, networks, failure reasons, and the payloads of
 * handled notifications.
 */
export async function anonymizePayments(tx: StoreTx, orderIds: readonly string[]): Promise<void> {
  const payments = await Payment.in(tx)
    .whereIn('order_id', [...orderIds])
    .patch({ clientSecret: null, payerNetwork: null, failureReason: null })
    .returning('gateway_reference')
  await eraseNotifications(tx, payments)
}

/** Erases the payloads of the handled notifications of payments and card setups. */
export async function eraseNotifications(
  tx: StoreTx,
  objects: readonly { gatewayReference: string | null }[],
): Promise<void> {
  const references = objects.flatMap(({ gatewayReference }) => gatewayReference ?? [])
  await tx.knex.raw(
    `update payment_notifications set payload = jsonb_build_object('id', payload -> 'id')
     where store_id = ? and handled_at is not null
       and (payload ->> 'id' = any(?) or payload ->> 'payment_intent' = any(?))`,
    [tx.storeId, references, references],
  )
}
