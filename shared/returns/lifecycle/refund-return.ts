import { assertPaymentUndisputed } from '#shared/disputes/assert-payment-undisputed.ts'
import { assertNoOpenDispute } from '#shared/disputes/dispute.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { RefundErrors } from '#shared/refunds/errors.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { type LockedReturn, lockReturn, type Return } from '#shared/returns/return.ts'
import { readStore } from '#shared/stores/store.ts'
import { mailVoucher } from '#shared/vouchers/delivery/mail-voucher.ts'
import { issueVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import { recordReturnProgress } from './complete-if-settled.ts'
import { findOwedUnits } from './find-owed-units.ts'

export interface ReturnRefundOptions {
  /** The refund of shipping, in addition to the units. */
  shippingAmountMinor?: bigint | undefined
  /** A fee that is deducted from the paid price of the units. */
  feeMinor?: bigint | undefined
  reason?: string | undefined
  /** Whether the caller may issue vouchers. */
  mayCredit?: boolean
}

/**
 * Requests the refund of a return's arrived units at their paid price: in money, or by a voucher if the action is
 * credit. Units that are already refunded or replaced are left out. A return has at most one refund that is in progress
 * or succeeded. After a failed refund it can be refunded again. Throws `resource.not_found`, `return.not_received`,
 * `return.other_action`, `return.already_refunded`, `auth.support_forbidden`, `order.disputed` for a credit, and the
 * errors of `requestRefund`.
 */
export async function refundReturn(
  tx: StoreTx,
  returnId: string,
  { reason, mayCredit = true, ...amounts }: ReturnRefundOptions,
  actor: OrderActor,
): Promise<Refund> {
  const locked = await lockReturn(tx, returnId)
  const { rma, order } = locked
  await assertRefundable(tx, rma)
  const items = await findOwedUnits(tx, order, returnId)
  if (items.length === 0) throw ReturnErrors.alreadyRefunded()
  const isCredit = rma.action === 'credit'
  if (isCredit && !mayCredit) throw AuthErrors.supportForbidden()
  // The gateway refuses refunds while the bank decides, but it does not stop a voucher.
  if (isCredit) await assertPaymentUndisputed(tx, order.id)
  const request = {
    items,
    ...amounts,
    reason: reason ?? `Return ${rma.number}`,
    means: isCredit ? 'credit' : 'gateway',
    isReturn: true,
  } as const
  const refund = await requestRefund(tx, order.id, request, { actor, disputes: { assertNoOpenDispute } })
  const credit = isCredit ? { voucherId: await issueCredit(tx, locked, refund, actor) } : {}
  await recordReturnProgress(tx, locked, { refundId: refund.id, ...credit }, actor)
  return refund
}

// A completed return can be refunded again, because the buyer's bank may have sent the money back.
async function assertRefundable(tx: StoreTx, rma: Return): Promise<void> {
  if (!rma.receivedAt) throw ReturnErrors.notReceived({ status: rma.status })
  if (rma.action !== 'refund' && rma.action !== 'credit')
    throw ReturnErrors.otherAction({ action: rma.action })
  const before = rma.refundId ? await Refund.in(tx).findById(rma.refundId) : undefined
  if (before?.isInProgress) throw RefundErrors.inProgress()
  if (before?.status === 'succeeded') throw ReturnErrors.alreadyRefunded()
}

/** Issues a voucher for the refunded amount and mails it to the buyer. Returns its id. */
async function issueCredit(
  tx: StoreTx,
  { rma, order }: LockedReturn,
  { amountMinor, currency }: Refund,
  actor: OrderActor,
): Promise<string> {
  const store = await readStore(tx)
  const issued = await issueVoucher(tx, {
    amountMinor,
    currency,
    toName: `${order.firstname} ${order.lastname}`,
    toEmail: order.email,
    fromName: store.name,
    fromEmail: store.email,
    message: rma.number,
    orderId: order.id,
    language: order.language,
    actor,
  })
  await mailVoucher(tx, issued, { language: order.language })
  return issued.voucher.id
}
