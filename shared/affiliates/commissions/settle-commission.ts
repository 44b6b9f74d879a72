import { Affiliate } from '#shared/affiliates/affiliate.ts'
import { type Commission, findCommission } from '#shared/affiliates/commission.ts'
import { DEFAULT_COMMISSION_BASIS_POINTS, PAYABLE_AFTER_DAYS } from '#shared/affiliates/states.ts'
import { lostVoucherPart } from '#shared/disputes/lost-voucher-part.ts'
import { lockOrder, type Order } from '#shared/orders/order.ts'
import { findOrderItems } from '#shared/orders/order-item.ts'
import { findCompletion } from '#shared/orders/order-step.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger } from '#shared/platform/money.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { findPaidBack } from '#shared/refunds/refundable/find-paid-back.ts'
import {
  type CommissionBase,
  commissionOf,
  goodsOf,
  refundedGoodsMinor,
  reversedOf,
  unpaidGoodsMinor,
} from './commission-arithmetic.ts'
import { earnCommission, type NewCommission } from './earn-commission.ts'
import { isSelfReferral } from './is-self-referral.ts'
import { reverseCommission } from './reverse-commission.ts'

/**
 * Updates the commission of an order. It is earned once the order is completed and paid, and reversed in proportion to
 * refunds, to what a dispute took from the voucher that pays it, and to what staff accepted as unpaid. An order that is
 * paid on delivery can be complete before it is paid. The commission depends only on the present state of the order, so
 * the sequence of events does not matter, and a repeat changes nothing.
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
  const refunds = await findPaidBack(tx, orderId, lines)
  const neverPaidMinor = larger(0n, order.totalMinor - order.amountCapturedMinor)
  const unpaid = {
    goodsMinor: unpaidGoodsMinor(order, goods, neverPaidMinor),
    // A voucher pays for goods and shipping, and never for another voucher.
    unnamedMinor: await lostVoucherPart(tx, order),
  }
  const refundedMinor = refundedGoodsMinor(order, goods, [...refunds, unpaid])
  const reversedMinor = reversedOf(commission.amountMinor, goods, refundedMinor)
  await reverseCommission(tx, commission, { goodsRefundedMinor: refundedMinor, reversedMinor })
}

async function earn(tx: StoreTx, order: Order, goods: CommissionBase, earnedAt: Date): Promise<Commission> {
  const affiliate = await Affiliate.in(tx)
    .findById(order.affiliateId ?? '')
    .throwIfNotFound()
  const basisPoints = affiliate.commissionBasisPoints ?? DEFAULT_COMMISSION_BASIS_POINTS
  const refusal = await refusalOf(tx, affiliate, order)
  return earnCommission(tx, {
    affiliateId: affiliate.id,
    orderId: order.id,
    basisPoints,
    netMinor: goods.netMinor,
    goodsMinor: goods.totalMinor,
    amountMinor: refusal ? 0n : commissionOf(goods, basisPoints),
    currency: order.currency,
    refusal,
    payableAt: new Date(earnedAt.getTime() + PAYABLE_AFTER_DAYS * DAY_MS),
  })
}

async function refusalOf(tx: StoreTx, affiliate: Affiliate, order: Order): Promise<NewCommission['refusal']> {
  if (affiliate.deletedAt) return 'affiliate_deleted'
  return (await isSelfReferral(tx, affiliate, order)) ? 'self_referral' : null
}
