import { Payment } from '#shared/payments/payment.ts'
import { viewBuyerPayment } from '#shared/payments/view.ts'
import { SECOND_MS } from '#shared/platform/clock.ts'
import { whenSettled } from '#shared/platform/signals.ts'
import { inStore } from '#shared/platform/store-scope.ts'

const WAIT_MS = 5 * SECOND_MS

/**
 * What the buyer pays with, as soon as a worker has opened it at the gateway. After a few seconds the payment is
 * answered as it stands, pending and without a secret: POST /orders/{order_id}/pay asks again.
 */
export async function awaitOpening(storeId: string, paymentId: string, waitMs = WAIT_MS) {
  const read = () => inStore(storeId, (tx) => Payment.in(tx).findById(paymentId).throwIfNotFound())
  const opened = await whenSettled(paymentId, waitMs, async () => {
    const payment = await read()
    return payment.status === 'pending' ? null : payment
  })
  return viewBuyerPayment(opened ?? (await read()))
}
