import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookEntry } from './book-entry.ts'
import { Commission } from './commission.ts'

const ACTOR = 'system'

/** The commission of an order, if it was decided. */
export const findCommission = (tx: StoreTx, orderId: string): PromiseLike<Commission | undefined> =>
  Commission.in(tx).findOne('order_id', orderId)

export type NewCommission = Pick<
  Commission,
  | 'affiliateId'
  | 'orderId'
  | 'percent'
  | 'netMinor'
  | 'goodsMinor'
  | 'amountMinor'
  | 'currency'
  | 'refusal'
  | 'payableAt'
>

/** Decides the commission of an order, which the caller has locked, and books it. */
export async function earnCommission(tx: StoreTx, given: NewCommission): Promise<Commission> {
  const at = now()
  const nothing = { goodsRefundedMinor: 0n, reversedMinor: 0n }
  const commission = await Commission.in(tx).insert({ ...given, ...nothing, createdAt: at, updatedAt: at })
  const { affiliateId, orderId, amountMinor, currency, payableAt } = given
  const entry = { affiliateId, orderId, amountMinor, currency, payableAt, actor: ACTOR }
  if (amountMinor > 0n) await bookEntry(tx, { ...entry, kind: 'earned' })
  return commission
}

/**
 * Reverses a commission up to the part that the refunds of its order, which the caller has locked, are of its goods, or
 * restores what was reversed beyond it. A repeat changes nothing.
 */
export async function reverseCommission(
  tx: StoreTx,
  commission: Commission,
  { goodsRefundedMinor, reversedMinor }: Pick<Commission, 'goodsRefundedMinor' | 'reversedMinor'>,
): Promise<void> {
  if (goodsRefundedMinor === commission.goodsRefundedMinor && reversedMinor === commission.reversedMinor)
    return
  await Commission.in(tx)
    .findById(commission.id)
    .patch({ goodsRefundedMinor, reversedMinor, updatedAt: now() })
  const { affiliateId, orderId, currency, payableAt } = commission
  const amountMinor = commission.reversedMinor - reversedMinor
  if (amountMinor === 0n) return
  const kind = amountMinor < 0n ? 'reversed' : 'restored'
  await bookEntry(tx, { affiliateId, kind, amountMinor, currency, orderId, payableAt, actor: ACTOR })
}
