import type { PartialModelObject } from 'objection'
import type { Actor } from '#shared/orders/actor.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { invalid } from '#shared/platform/validation.ts'
import { completeIfSettled } from './complete-return.ts'
import { ReturnErrors } from './errors.ts'
import { lockReturn } from './lock-return.ts'
import { moveReturn } from './move-return.ts'
import type { Return } from './return.ts'
import { ReturnItem } from './return-item.ts'
import { type Disposition, RETURN_TRANSITIONS, type ReturnCondition } from './states.ts'

/** How units of one item of a return fared. */
export interface Arrival {
  itemId: string
  /** Undefined: all units of the item. */
  quantity: number | undefined
  disposition: Disposition
  /** Undefined: as it was told before. */
  condition: ReturnCondition | undefined
}

/**
 * Notes what arrived of a return. Every unit is accounted for, missing ones too; units of one item that fared
 * differently become items of their own. Throws 404, 409 `return.invalid_transition`, and `validation.failed` where
 * the units do not add up.
 */
export async function receiveReturn(
  tx: StoreTx,
  returnId: string,
  arrivals: readonly Arrival[],
  actor: Actor,
): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  assertTransition(RETURN_TRANSITIONS, locked.rma.status, 'received', ReturnErrors.invalidTransition)
  await noteArrivals(tx, returnId, arrivals)
  await moveReturn(tx, locked, { to: 'received', actor })
  await completeIfSettled(tx, locked, actor)
  return locked.rma
}

async function noteArrivals(tx: StoreTx, returnId: string, arrivals: readonly Arrival[]): Promise<void> {
  const items = await ReturnItem.in(tx).where('return_id', returnId).orderBy('position')
  const parts = splitByArrival(items, arrivals)
  await ReturnItem.in(tx).where('return_id', returnId).delete()
  await ReturnItem.in(tx).insert(parts)
}

type Part = PartialModelObject<ReturnItem>

/** A return's items by how their units fared. The first part of an item keeps its id. */
function splitByArrival(items: readonly ReturnItem[], arrivals: readonly Arrival[]): Part[] {
  for (const [index, { itemId }] of arrivals.entries())
    if (!items.some(({ id }) => id === itemId))
      throw invalid(['items', index, 'id'], 'This return has no such item', itemId)
  return items.flatMap((item) => partsOf(item, arrivals)).map((part, position) => ({ ...part, position }))
}

function partsOf(item: ReturnItem, arrivals: readonly Arrival[]): Part[] {
  const own = arrivals.filter(({ itemId }) => itemId === item.id)
  const told = own.reduce((units, { quantity = item.quantity }) => units + quantity, 0)
  if (told !== item.quantity)
    throw invalid(['items'], `Tell of ${item.quantity} units of the item ${item.id}, missing ones too`, told)
  return own.map(({ quantity = item.quantity, disposition, condition = item.condition }, index) => ({
    ...item,
    id: index === 0 ? item.id : newId(),
    quantity,
    disposition,
    condition,
  }))
}
