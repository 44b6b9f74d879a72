import { Affiliate } from '#shared/affiliates/affiliate.ts'
import type { Commission } from '#shared/affiliates/commission.ts'
import { findCommission } from '#shared/affiliates/commission.ts'
import { DEFAULT_PERCENT, HOLD_DAYS } from '#shared/affiliates/states.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { findCompletion } from '#shared/orders/order-history.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { findPaidBack } from '#shared/refunds/refundable/find-paid-back.ts'
import {
  type CommissionBase,
  commissionOf,
  goodsOf,
  refundedGoodsMinor,
  reversedOf,
} from './calculate-commission.ts'
import { earnCommission, type NewCommission } from './earn-commission.ts'
import { isSelfReferral } from './is-self-referral.ts'
import { reverseCommission } from './reverse-commission.ts'

/**
 * Brings the commission of an order into line with the order: earned once it was completed and paid, reversed in
 * proportion to its refunds. One that is paid on delivery can be complete before. It is computed of the order as it is,
 * so the order of events does not matter, and a repeat changes nothing.
 */
export async function settleCommission(tx: StoreTx, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  const completedAt = order.affiliateId && (await findCompletion(tx, orderId))
  if (!completedAt || order.paymentStatus === 'unpaid') return
  const earnedAt = order.paidAt && order.paidAt > completedAt ? order.paidAt : completedAt
  const lines = await findOrderItems(tx, orderId)
  const goods = goodsOf(lines)
  const commission = (await findCommission(tx, orderId)) ?? (await earn(tx, order, goods, earnedAt))
  if (commission.amountMinor === 0n) return
  const refundedMinor = refundedGoodsMinor(order, goods, await findPaidBack(tx, orderId, lines))
  const reversedMinor = reversedOf(commission.amountMinor, goods, refundedMinor)
  await reverseCommission(tx, commission, { goodsRefundedMinor: refundedMinor, reversedMinor })
}

async function earn(tx: StoreTx, order: Order, goods: CommissionBase, earnedAt: Date): Promise<Commission> {
  const affiliate = await Affiliate.in(tx)
    .findById(order.affiliateId ?? '')
    .throwIfNotFound()
  const percent = affiliate.commissionPercent ?? DEFAULT_PERCENT
  const refusal = await refusalOf(tx, affiliate, order)
  return earnCommission(tx, {
    affiliateId: affiliate.id,
    orderId: order.id,
    percent,
    netMinor: goods.netMinor,
    goodsMinor: goods.totalMinor,
    amountMinor: refusal ? 0n : commissionOf(goods, percent),
    currency: order.currency,
    refusal,
    payableAt: new Date(earnedAt.getTime() + HOLD_DAYS * DAY_MS),
  })
}

async function refusalOf(tx: StoreTx, affiliate: Affiliate, order: Order): Promise<NewCommission['refusal']> {
  if (affiliate.deletedAt) return 'affiliate_deleted'
  return (await isSelfReferral(tx, affiliate, order)) ? 'self_referral' : null
}
