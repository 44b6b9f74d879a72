import { StoreModel } from '#shared/platform/db/model.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { smaller, sum } from '#shared/platform/money.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { lockVoucher, Voucher } from '#shared/vouchers/voucher.ts'

/** The value that a refund of an order withdrew from a voucher that the order bought. Amounts are in minor units. */
export class VoucherWithdrawal extends StoreModel {
  static override tableName = 'voucher_withdrawals'

  declare refundId: string
  declare voucherId: string
  /** The part of the voucher's price that is refunded to its buyer. */
  declare priceMinor: bigint
  /** The amount deducted from its balance. It is less than the price if a part was already spent. */
  declare amountMinor: bigint
  /** Whether this withdrawal deactivated the voucher, because its whole price is refunded. */
  declare endsUse: boolean
  /** Whether the refund failed and the voucher got the value back. */
  declare isUndone: boolean
  declare createdAt: Date
}

/** A voucher that an order bought, with the parts of its price in minor units. */
export interface BoughtVoucher {
  id: string
  orderItemId: string
  /** The refunded part of the price, including refunds in progress. */
  withdrawnMinor: bigint
  /** The rest of the price. */
  unwithdrawnMinor: bigint
  /** The part of the rest that was neither spent nor reserved. Without an override only this part is refunded. */
  unspentMinor: bigint
}

/**
 * Reads and locks the vouchers of lines of an order, so that nobody spends their unspent parts. `prices` are by line
 * id. The caller has locked the order.
 */
export async function lockBoughtVouchers(
  tx: StoreTx,
  prices: ReadonlyMap<string, bigint>,
): Promise<BoughtVoucher[]> {
  if (prices.size === 0) return []
  const vouchers = await Voucher.in(tx)
    .whereIn('order_item_id', [...prices.keys()])
    .orderBy('id')
    .forNoKeyUpdate()
  const ids = vouchers.map(({ id }) => id)
  const withdrawn = await sumWithdrawn(tx, ids)
  return vouchers.map((voucher) => {
    const orderItemId = voucher.orderItemId ?? ''
    const withdrawnMinor = withdrawn.get(voucher.id) ?? 0n
    const unwithdrawnMinor = (prices.get(orderItemId) ?? 0n) - withdrawnMinor
    const unspentMinor = smaller(unwithdrawnMinor, voucher.remainingMinor)
    return { id: voucher.id, orderItemId, withdrawnMinor, unwithdrawnMinor, unspentMinor }
  })
}

/** Sums the withdrawn prices by voucher. */
async function sumWithdrawn(tx: StoreTx, voucherIds: readonly string[]): Promise<Map<string, bigint>> {
  const rows: { voucherId: string; price: string }[] = await tx
    .knex('voucher_withdrawals')
    .where({ store_id: tx.storeId, is_undone: false })
    .whereIn('voucher_id', [...voucherIds])
    .groupBy('voucher_id')
    .select('voucher_id as voucherId')
    .sum('price_minor as price')
  return new Map(rows.map(({ voucherId, price }) => [voucherId, BigInt(price)]))
}

/**
 * Deducts the refunded price of a bought voucher from its balance, as far as it is unspent. Call it when the refund
 * starts, so that the money cannot be both spent and refunded. A voucher whose whole price is refunded is deactivated.
 */
export async function withdrawPrice(
  tx: StoreTx,
  { id: voucherId, unwithdrawnMinor }: BoughtVoucher,
  { refundId, priceMinor, actor }: { refundId: string; priceMinor: bigint; actor: string },
): Promise<void> {
  const voucher = await lockVoucher(tx, voucherId)
  const amountMinor = smaller(priceMinor, voucher.remainingMinor)
  const isWhole = priceMinor === unwithdrawnMinor
  const { isActive, orderId } = voucher
  const endsUse = isActive && isWhole
  // A refund that is booked in parts also withdraws in parts.
  const earlier = await VoucherWithdrawal.in(tx).findOne({ refund_id: refundId, voucher_id: voucherId })
  if (earlier)
    await VoucherWithdrawal.in(tx)
      .findById(earlier.id)
      .patch({
        priceMinor: earlier.priceMinor + priceMinor,
        amountMinor: earlier.amountMinor + amountMinor,
        endsUse: earlier.endsUse || endsUse,
      })
  else
    await VoucherWithdrawal.in(tx).insert({
      refundId,
      voucherId,
      priceMinor,
      amountMinor,
      endsUse,
      createdAt: now(),
    })
  if (isWhole)
    await Voucher.in(tx)
      .findById(voucherId)
      .patch({ isActive: false, updatedAt: nextUpdatedAt(voucher) })
  if (amountMinor > 0n)
    await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor: -amountMinor, orderId, actor })
}

const findInForce = (tx: StoreTx, refundId: string) =>
  VoucherWithdrawal.in(tx).where({ refund_id: refundId, is_undone: false }).orderBy('voucher_id')

/** Returns the sum of the voucher prices that a refund has withdrawn. */
export const sumWithdrawnPrices = async (tx: StoreTx, refundId: string): Promise<bigint> =>
  sum((await findInForce(tx, refundId)).map(({ priceMinor }) => priceMinor))

/**
 * Gives vouchers back the value that a failed refund withdrew. `keptMinor` of their prices stays paid back and
 * withdrawn. A repeat changes nothing. Returns whether it gave any back.
 */
export async function undoWithdrawals(tx: StoreTx, refundId: string, keptMinor: bigint): Promise<boolean> {
  let restMinor = keptMinor
  let isUndone = false
  for (const withdrawal of await findInForce(tx, refundId)) {
    const priceMinor = smaller(restMinor, withdrawal.priceMinor)
    restMinor -= priceMinor
    if (priceMinor === withdrawal.priceMinor) continue
    await undoWithdrawal(tx, withdrawal, priceMinor)
    isUndone = true
  }
  return isUndone
}

/** Reduces a withdrawal to a price, which can be 0. */
async function undoWithdrawal(
  tx: StoreTx,
  { id, voucherId, amountMinor: withdrawnMinor }: VoucherWithdrawal,
  priceMinor: bigint,
): Promise<void> {
  const voucher = await lockVoucher(tx, voucherId)
  // The voucher has a price again, so activate it if any refund deactivated it. A deactivation by staff stays.
  const ending = { voucher_id: voucherId, ends_use: true, is_undone: false }
  const wasEnded = (await VoucherWithdrawal.in(tx).where(ending).resultSize()) > 0
  const reducedMinor = smaller(priceMinor, withdrawnMinor)
  const changes = { priceMinor, amountMinor: reducedMinor, endsUse: false }
  await VoucherWithdrawal.in(tx)
    .findById(id)
    .patch(priceMinor > 0n ? changes : { isUndone: true })
  if (wasEnded)
    await Voucher.in(tx)
      .findById(voucherId)
      .patch({ isActive: true, updatedAt: nextUpdatedAt(voucher) })
  const { orderId } = voucher
  const amountMinor = withdrawnMinor - reducedMinor
  if (amountMinor > 0n) await bookVoucherEntry(tx, { voucherId, kind: 'adjust', amountMinor, orderId })
}
