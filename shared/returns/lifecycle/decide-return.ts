import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import type { OrderActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { loadReturnView } from '#shared/returns/load-return-views.ts'
import type { returnApprovedMail } from '#shared/returns/mails/approved.ts'
import type { returnRejectedMail } from '#shared/returns/mails/rejected.ts'
import { type LockedReturn, lockReturn, type Return } from '#shared/returns/return.ts'
import { transitionReturn } from './transition-return.ts'

type DecisionMail = typeof returnApprovedMail | typeof returnRejectedMail

/** Returns the use case that approves or rejects a return, and mails the buyer. */
export const decideReturn =
  (to: 'approved' | 'rejected', mail: DecisionMail) =>
  async (tx: StoreTx, returnId: string, message: string | null, actor: OrderActor): Promise<Return> => {
    const locked = await lockReturn(tx, returnId)
    const decided = await transitionReturn(tx, locked, { to, actor, set: { message } })
    await mailBuyer(tx, decided, mail)
    return decided.rma
  }

async function mailBuyer(tx: StoreTx, { rma, order }: LockedReturn, mail: DecisionMail): Promise<void> {
  const { number, order_number, message, items } = await loadReturnView(tx, rma.id)
  const goods = items.map(({ name, sku, quantity }) => ({ name, sku, quantity }))
  await queueMailByStaff(
    tx,
    mail,
    { ...toRecipient(order), recordId: rma.id },
    { number, order_number, message, items: goods },
  )
}
