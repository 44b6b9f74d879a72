import { PAY_BY_VOUCHER } from '#shared/orders/order-payment-methods.ts'
import type { OrderDetails } from '#shared/orders/place/place-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller, sum } from '#shared/platform/money.ts'
import { missing } from '#shared/platform/validation.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { assertCovers, lockUsableVoucher } from '#shared/vouchers/usability.ts'
import type { CheckoutRequest } from './checkout-request.ts'

/** A locked voucher and the part of the order that it pays, in minor units above 0. */
export interface ChosenVoucher {
  voucherId: string
  amountMinor: bigint
}

/**
 * Returns the requested voucher and the amount that it pays: its balance, at most the total less the gift vouchers to
 * buy. A voucher cannot buy vouchers, because that would extend its expiry. Throws the errors of `lockUsableVoucher`.
 * With the payment method `voucher`, throws `voucher.insufficient_balance` if the balance is below the total.
 */
export async function chooseVoucher(
  tx: StoreTx,
  { voucherCode: code, paymentMethod: method }: CheckoutRequest,
  { totalMinor, currency }: Pick<OrderDetails, 'totalMinor' | 'currency'>,
  giftVouchers: readonly { amountMinor: bigint }[],
): Promise<ChosenVoucher | null> {
  if (code === undefined) {
    if (method === PAY_BY_VOUCHER) throw missing(['voucher_code'])
    return null
  }
  const voucher = await lockUsableVoucher(tx, code, currency)
  const payableMinor = totalMinor - sum(giftVouchers.map(({ amountMinor }) => amountMinor))
  if (method === PAY_BY_VOUCHER && payableMinor < totalMinor) throw VoucherErrors.insufficientBalance()
  if (method === PAY_BY_VOUCHER) assertCovers(voucher, totalMinor)
  const amountMinor = smaller(voucher.remainingMinor, payableMinor)
  return amountMinor > 0n ? { voucherId: voucher.id, amountMinor } : null
}

/** Adds the voucher's part to the details of an order. If it covers the total, the payment method is `voucher`. */
export function applyVoucher<D extends Pick<OrderDetails, 'totalMinor' | 'paymentMethod'>>(
  details: D,
  voucher: ChosenVoucher | null,
): D & { voucherMinor: bigint } {
  const voucherMinor = voucher?.amountMinor ?? 0n
  const paysAll = voucher !== null && voucherMinor === details.totalMinor
  return { ...details, voucherMinor, ...(paysAll ? { paymentMethod: PAY_BY_VOUCHER } : {}) }
}
