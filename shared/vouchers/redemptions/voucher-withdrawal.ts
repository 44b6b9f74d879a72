import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sum } from '#shared/platform/money.ts'

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

/** Finds the withdrawals of a refund that are in force, sorted by voucher. */
export const findWithdrawalsInForce = (tx: StoreTx, refundId: string) =>
  VoucherWithdrawal.in(tx).where({ refund_id: refundId, is_undone: false }).orderBy('voucher_id')

/** Sums the withdrawn prices by voucher. */
export async function sumWithdrawnByVoucher(
  tx: StoreTx,
  voucherIds: readonly string[],
): Promise<Map<string, bigint>> {
  const rows: { voucherId: string; price: string }[] = await tx
    .knex('voucher_withdrawals')
    .where({ store_id: tx.storeId, is_undone: false })
    .whereIn('voucher_id', [...voucherIds])
    .groupBy('voucher_id')
    .select('voucher_id as voucherId')
    .sum('price_minor as price')
  return new Map(rows.map(({ voucherId, price }) => [voucherId, BigInt(price)]))
}

/** Returns the sum of the voucher prices that a refund has withdrawn. */
export const sumWithdrawnPrices = async (tx: StoreTx, refundId: string): Promise<bigint> =>
  sum((await findWithdrawalsInForce(tx, refundId)).map(({ priceMinor }) => priceMinor))
