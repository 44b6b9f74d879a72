import type { OrderDetails } from '#shared/orders/place-order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller, sum } from '#shared/platform/money.ts'
import { missing } from '#shared/platform/validation.ts'
import { assertCovers } from '#shared/vouchers/assert-usable.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { lockSpendable } from '#shared/vouchers/lock-spendable.ts'
import type { CheckoutRequest } from './checkout-request.ts'

/** A way to pay that no store switches on: whoever has a voucher that covers the order may use it. */
export const BY_VOUCHER = 'voucher'

/** What a voucher, which is locked, pays of an order. Minor units, more than none. */
export interface ChosenVoucher {
  voucherId: string
  amountMinor: bigint
}

/**
 * The voucher of the request, if it names one, with what it pays: as much of the total as is left of it, but no other
 * vouchers, or one could be made younger by buying another with it. Throws why it cannot be spent (`lockSpendable`), and
 * `voucher.insufficient_balance` where it was to pay everything and does not.
 */
export async function chooseVoucher(
  tx: StoreTx,
  { voucherCode: code, paymentMethod: method }: CheckoutRequest,
  { totalMinor, currency }: Pick<OrderDetails, 'totalMinor' | 'currency'>,
  bought: readonly { amountMinor: bigint }[],
): Promise<ChosenVoucher | null> {
  if (code === undefined) {
    if (method === BY_VOUCHER) throw missing(['voucher_code'])
    return null
  }
  const voucher = await lockSpendable(tx, code, currency)
  const payableMinor = totalMinor - sum(bought.map(({ amountMinor }) => amountMinor))
  if (method === BY_VOUCHER && payableMinor < totalMinor) throw VoucherErrors.insufficientBalance()
  if (method === BY_VOUCHER) assertCovers(voucher, totalMinor)
  const amountMinor = smaller(voucher.remainingMinor, payableMinor)
  return amountMinor > 0n ? { voucherId: voucher.id, amountMinor } : null
}

/** The facts of an order that a voucher pays a part of. Where it pays everything, it is the way to pay. */
export function payWith<F extends Pick<OrderDetails, 'totalMinor' | 'paymentMethod'>>(
  facts: F,
  voucher: ChosenVoucher | null,
): F & { voucherMinor: bigint } {
  const voucherMinor = voucher?.amountMinor ?? 0n
  const paysAll = voucher !== null && voucherMinor === facts.totalMinor
  return { ...facts, voucherMinor, ...(paysAll ? { paymentMethod: BY_VOUCHER } : {}) }
}
