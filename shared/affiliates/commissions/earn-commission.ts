import { COMMISSION_ACTOR, Commission } from '#shared/affiliates/commission.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookCommissionEntry } from './book-commission-entry.ts'

export type NewCommission = Pick<
  Commission,
  | 'affiliateId'
  | 'orderId'
  | 'basisPoints'
  | 'netMinor'
  | 'goodsMinor'
  | 'amountMinor'
  | 'currency'
  | 'refusal'
  | 'payableAt'
>

/** Records the commission of an order, and books its amount. The caller has locked the order. */
export async function earnCommission(tx: StoreTx, given: NewCommission): Promise<Commission> {
  const at = now()
  const nothing = { goodsRefundedMinor: 0n, reversedMinor: 0n }
  const commission = await Commission.in(tx).insert({ ...given, ...nothing, createdAt: at, updatedAt: at })
  const { affiliateId, orderId, amountMinor, currency, payableAt } = given
  const entry = { affiliateId, orderId, amountMinor, currency, payableAt, actor: COMMISSION_ACTOR }
  if (amountMinor > 0n) await bookCommissionEntry(tx, { ...entry, kind: 'earned' })
  return commission
}
