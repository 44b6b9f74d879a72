import type { Actor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { type AskedItem, assertReturnable } from './assert-returnable.ts'
import { ReturnErrors } from './errors.ts'
import { isReplaced } from './is-replaced.ts'
import { type LockedReturn, lockReturn } from './lock-return.ts'
import { noteSettling } from './note-settling.ts'
import { putItems } from './put-items.ts'
import type { Return } from './return.ts'
import { isAwaited, type ReturnAction } from './states.ts'

export interface ReturnChange {
  comment?: string | null | undefined
  action?: ReturnAction | undefined
  /** All items of the return: one left out comes off it. */
  items?: AskedItem[] | undefined
}

interface Changing {
  actor: Actor
  ifMatch: string | undefined
}

/**
 * Changes a return: its items until the goods are here, its action until the buyer got what they get. Throws 404, 409
 * `return.not_editable`, 412 `resource.changed`, and what asking for a return throws.
 */
export async function changeReturn(
  tx: StoreTx,
  returnId: string,
  { items, ...change }: ReturnChange,
  { actor, ifMatch }: Changing,
): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  const { rma } = locked
  assertUnchanged(rma, ifMatch)
  if (items) await changeItems(tx, locked, items)
  if (change.action && change.action !== rma.action) await assertActionOpen(tx, rma)
  await noteSettling(tx, locked, change, actor)
  return rma
}

async function changeItems(tx: StoreTx, { rma, order }: LockedReturn, items: AskedItem[]): Promise<void> {
  if (!isAwaited(rma.status)) throw ReturnErrors.notEditable({ what: 'the items' })
  await assertReturnable(tx, order, items, rma.id)
  await putItems(tx, rma.id, items)
}

async function assertActionOpen(tx: StoreTx, rma: Return): Promise<void> {
  const refund = rma.refundId ? await Refund.in(tx).findById(rma.refundId) : undefined
  const isPaid = refund?.isInProgress || refund?.status === 'succeeded'
  if (rma.closedAt || isPaid || (await isReplaced(tx, rma)))
    throw ReturnErrors.notEditable({ what: 'the action' })
}
