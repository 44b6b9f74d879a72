import type { OrderActor } from '#shared/orders/actor.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { Refund } from '#shared/refunds/refund.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { assertReturnable } from '#shared/returns/request/returnable-units.ts'
import { isReplaced, type LockedReturn, lockReturn, type Return } from '#shared/returns/return.ts'
import { type RequestedItem, replaceItems } from '#shared/returns/return-item.ts'
import { hasNotArrived, type ReturnAction } from '#shared/returns/states.ts'
import { recordReturnProgress } from './complete-if-settled.ts'

export interface ReturnUpdate {
  comment?: string | null | undefined
  action?: ReturnAction | undefined
  /** All items of the return. Omitted items are removed. */
  items?: RequestedItem[] | undefined
  metadata?: MetadataChange | undefined
}

interface UpdateContext {
  actor: OrderActor
  ifMatch: string | undefined
}

/**
 * Updates a return. Its items can change until the goods arrive, its action until it is fulfilled. Throws
 * `resource.not_found`, `return.not_editable`, `resource.changed`, and the errors of `assertReturnable`.
 */
export async function updateReturn(
  tx: StoreTx,
  returnId: string,
  { items, metadata, ...change }: ReturnUpdate,
  { actor, ifMatch }: UpdateContext,
): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  const { rma } = locked
  assertUnchanged(rma, ifMatch)
  if (items) await changeItems(tx, locked, items)
  if (change.action && change.action !== rma.action) await assertActionOpen(tx, rma)
  const merged = mergeMetadata(rma.metadata, metadata)
  return recordReturnProgress(tx, locked, { ...change, metadata: merged }, actor)
}

async function changeItems(tx: StoreTx, { rma, order }: LockedReturn, items: RequestedItem[]): Promise<void> {
  if (!hasNotArrived(rma.status)) throw ReturnErrors.notEditable({ what: 'the items' })
  await assertReturnable(tx, order, items, rma.id)
  await replaceItems(tx, rma.id, items)
}

async function assertActionOpen(tx: StoreTx, rma: Return): Promise<void> {
  const refund = rma.refundId ? await Refund.in(tx).findById(rma.refundId) : undefined
  const isPaid = refund?.isInProgress || refund?.status === 'succeeded'
  if (rma.closedAt || isPaid || (await isReplaced(tx, rma)))
    throw ReturnErrors.notEditable({ what: 'the action' })
}
