import type { OrderActor } from '#shared/orders/actor.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { PartialModelObject } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertTransition } from '#shared/platform/states.ts'
import { invalid } from '#shared/platform/validation.ts'
import { ReturnErrors } from '#shared/returns/errors.ts'
import { lockReturn, type Return } from '#shared/returns/return.ts'
import { ReturnItem } from '#shared/returns/return-item.ts'
import { type Disposition, RETURN_TRANSITIONS, type ReturnCondition } from '#shared/returns/states.ts'
import { completeIfSettled } from './complete-if-settled.ts'
import { transitionReturn } from './transition-return.ts'

/** Units of one item of a return with the same disposition. */
export interface Arrival {
  itemId: string
  /** Default: all units of the item. */
  quantity: number | undefined
  disposition: Disposition
  /** Default: the condition of the request. */
  condition: ReturnCondition | undefined
}

/**
 * Records the arrival of a return. `arrivals` lists every unit, also missing ones. Units of one item with different
 * dispositions become separate items. Throws `resource.not_found`, `return.invalid_transition`, and `validation.failed`
 * if the units do not add up.
 */
export async function receiveReturn(
  tx: StoreTx,
  returnId: string,
  arrivals: readonly Arrival[],
  actor: OrderActor,
): Promise<Return> {
  const locked = await lockReturn(tx, returnId)
  assertTransition(RETURN_TRANSITIONS, locked.rma.status, 'received', ReturnErrors.invalidTransition)
  await recordArrivals(tx, returnId, arrivals)
  const received = await transitionReturn(tx, locked, { to: 'received', actor })
  return completeIfSettled(tx, received, actor)
}

async function recordArrivals(tx: StoreTx, returnId: string, arrivals: readonly Arrival[]): Promise<void> {
  const items = await ReturnItem.in(tx).where('return_id', returnId).orderBy('position')
  const parts = splitByArrival(items, arrivals)
  await ReturnItem.in(tx).where('return_id', returnId).delete()
  await ReturnItem.in(tx).insert(parts)
}

type Part = PartialModelObject<ReturnItem>

/** Splits a return's items by disposition. The first part of an item keeps its id. */
function splitByArrival(items: readonly ReturnItem[], arrivals: readonly Arrival[]): Part[] {
  for (const [index, { itemId }] of arrivals.entries())
    if (!items.some(({ id }) => id === itemId))
      throw invalid(
        ['items', index, 'id'],
        'This return has no such item. Use the id of one of its items',
        itemId,
      )
  return items.flatMap((item) => partsOf(item, arrivals)).map((part, position) => ({ ...part, position }))
}

function partsOf(item: ReturnItem, arrivals: readonly Arrival[]): Part[] {
  const own = arrivals.filter(({ itemId }) => itemId === item.id)
  const units = own.reduce((sum, { quantity = item.quantity }) => sum + quantity, 0)
  if (units !== item.quantity)
    throw invalid(
      ['items'],
      `The item ${item.id} has ${item.quantity} units. List all, missing ones too`,
      units,
    )
  return own.map(({ quantity = item.quantity, disposition, condition = item.condition }, index) => ({
    ...item,
    id: index === 0 ? item.id : newId(),
    quantity,
    disposition,
    condition,
  }))
}
