import type { Actor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Refund } from '#shared/refunds/refund.ts'
import { readStore } from '#shared/stores/store.ts'
import { issueVoucher } from '#shared/vouchers/issue-voucher.ts'
import { mailVoucher } from '#shared/vouchers/mail-voucher.ts'
import type { LockedReturn } from './lock-return.ts'

/** Gives a buyer a voucher over what a return brings back, by mail, instead of the money. Returns its id. */
export async function issueCredit(
  tx: StoreTx,
  { rma, order }: LockedReturn,
  { amountMinor, currency }: Refund,
  actor: Actor,
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
