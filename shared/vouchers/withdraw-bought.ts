import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { nextUpdatedAt } from '#shared/platform/http/entity-tag.ts'
import { smaller, sum } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookEntry } from './book-entry.ts'
import { lockVoucher } from './lock-voucher.ts'
import { Voucher } from './voucher.ts'
import { VoucherWithdrawal } from './voucher-withdrawal.ts'

/** A voucher that was bought with an order, and what of its price has not gone back. Minor units. */
export interface BoughtVoucher {
  id: string
  orderItemId: string
  leftMinor: bigint
  withdrawnMinor: bigint
}

/** The vouchers that were bought by lines of an order, which the caller has locked; `prices` are those lines'. */
export async function findBought(tx: StoreTx, prices: ReadonlyMap<string, bigint>): Promise<BoughtVoucher[]> {
  if (prices.size === 0) return []
  const vouchers = await Voucher.in(tx)
    .whereIn('order_item_id', [...prices.keys()])
    .orderBy('id')
  const ids = vouchers.map(({ id }) => id)
  const withdrawals = await VoucherWithdrawal.in(tx).whereIn('voucher_id', ids).where('is_undone', false)
  return vouchers.map(({ id, orderItemId }) => {
    const own = withdrawals.filter(({ voucherId }) => voucherId === id)
    const withdrawnMinor = sum(own.map(({ priceMinor }) => priceMinor))
    const price = prices.get(orderItemId ?? '') ?? 0n
    return { id, orderItemId: orderItemId ?? '', leftMinor: price - withdrawnMinor, withdrawnMinor }
  })
}

/**
 * Takes off a bought voucher what a refund gives back of its price, as far as it is not spent; what was spent stays so.
 * Nobody can spend it while the money is on its way, or after. Without price left it is active no more.
 */
export async function withdraw(
  tx: StoreTx,
  { id: voucherId, leftMinor }: BoughtVoucher,
  { refundId, priceMinor, actor }: { refundId: string; priceMinor: bigint; actor: string },
): Promise<void> {
  const voucher = await lockVoucher(tx, voucherId)
  const amountMinor = smaller(priceMinor, voucher.remainingMinor)
  const isWhole = priceMinor === leftMinor
  const { isActive, orderId } = voucher
  await VoucherWithdrawal.in(tx).insert({
    refundId,
    voucherId,
    priceMinor,
    amountMinor,
    endsUse: isActive && isWhole,
    createdAt: now(),
  })
  if (isWhole)
    await Voucher.in(tx)
      .findById(voucherId)
      .patch({ isActive: false, updatedAt: nextUpdatedAt(voucher) })
  if (amountMinor > 0n)
    await bookEntry(tx, { voucherId, kind: 'adjust', amountMinor: -amountMinor, orderId, actor })
}

/** Gives vouchers back what a refund took off them that failed: once, however often it is asked for. */
export async function undoWithdrawals(tx: StoreTx, refundId: string): Promise<void> {
  const withdrawals = await VoucherWithdrawal.in(tx)
    .where({ refund_id: refundId, is_undone: false })
    .orderBy('voucher_id')
  for (const { id, voucherId, amountMinor } of withdrawals) {
    const voucher = await lockVoucher(tx, voucherId)
    // Whichever refund took it out of use: it has a price again. What staff switched off stays off.
    const ending = { voucher_id: voucherId, ends_use: true, is_undone: false }
    const wasEnded = (await VoucherWithdrawal.in(tx).where(ending).resultSize()) > 0
    await VoucherWithdrawal.in(tx).findById(id).patch({ isUndone: true })
    if (wasEnded)
      await Voucher.in(tx)
        .findById(voucherId)
        .patch({ isActive: true, updatedAt: nextUpdatedAt(voucher) })
    const { orderId } = voucher
    if (amountMinor > 0n) await bookEntry(tx, { voucherId, kind: 'adjust', amountMinor, orderId })
  }
}
