import { queueMail } from '#shared/mail/queue-mail.ts'
import type { Actor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { loadReturnView } from './load-views.ts'
import { type LockedReturn, lockReturn } from './lock-return.ts'
import { returnApprovedMail } from './mails/approved.ts'
import { returnRejectedMail } from './mails/rejected.ts'
import { moveReturn } from './move-return.ts'
import type { Return } from './return.ts'

type DecisionMail = typeof returnApprovedMail | typeof returnRejectedMail

const decision =
  (to: 'approved' | 'rejected', mail: DecisionMail) =>
  async (tx: StoreTx, returnId: string, message: string | null, actor: Actor): Promise<Return> => {
    const locked = await lockReturn(tx, returnId)
    await moveReturn(tx, locked, { to, actor, set: { message } })
    await mailBuyer(tx, locked, mail)
    return locked.rma
  }

/** Lets a buyer send the goods; `message` tells them how. Throws 404, and 409 `return.invalid_transition`. */
export const approveReturn = decision('approved', returnApprovedMail)

/** Turns a request down; `message` tells the buyer why. Throws 404, and 409 `return.invalid_transition`. */
export const rejectReturn = decision('rejected', returnRejectedMail)

async function mailBuyer(tx: StoreTx, { rma, order }: LockedReturn, mail: DecisionMail): Promise<void> {
  const { number, order_number, message, items } = await loadReturnView(tx, rma.id)
  const goods = items.map(({ name, sku, quantity }) => ({ name, sku, quantity }))
  await queueMail(tx, mail, order, { number, order_number, message, items: goods })
}
