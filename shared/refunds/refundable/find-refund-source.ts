import { Payment } from '#shared/payments/payment.ts'
import { listSurpluses } from '#shared/payments/surplus.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger } from '#shared/platform/money.ts'
import { type PaidOrder, paymentSource } from '#shared/refunds/calculate/payment-source.ts'
import type { RefundMeans, RefundSource } from '#shared/refunds/calculate/refund-source.ts'
import { availableMinor, type RefundableOrder } from '#shared/refunds/calculate/refundable-order.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { unrefundedVoucherMinor } from '#shared/vouchers/redemptions/refund-to-voucher.ts'
import type { LoadedRefundableOrder } from './load-refundable-order.ts'

/** Finds the sources for a refund of an order. Money that the gateway is already paying back is no source. */
export async function findRefundSource(
  tx: StoreTx,
  refundable: LoadedRefundableOrder,
  means: RefundMeans,
): Promise<RefundSource> {
  const paid = paymentSource(await readPaidOrder(tx, refundable))
  if (means === 'gateway') return paid
  // A credit can refund any payment, also by a voucher. Staff do not pay out money that a voucher paid.
  const voucherMinor = means === 'credit' ? 0n : paid.voucherMinor
  const maxMinor = larger(0n, availableMinor(refundable))
  const offlineMinor = larger(0n, maxMinor - voucherMinor)
  return { ...paid, payment: null, gatewayMinor: 0n, offlineMinor, voucherMinor, maxMinor }
}

async function readPaidOrder(tx: StoreTx, refundable: RefundableOrder): Promise<PaidOrder> {
  const { order } = refundable
  return {
    refundable,
    payments: await Payment.in(tx)
      .where({ order_id: order.id, status: 'captured' })
      .whereNotNull('gateway_reference'),
    surpluses: await listSurpluses(tx, order.id),
    succeeded: await Refund.in(tx).where({ order_id: order.id, status: 'succeeded' }),
    voucherMinor: await unrefundedVoucherMinor(tx, order),
  }
}
