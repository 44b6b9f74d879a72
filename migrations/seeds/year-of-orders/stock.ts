import type { MovementReason } from '#shared/inventory/stock-movement.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { DAYS } from './calendar.ts'
import { newIdAt, type PastOrder, type Year } from './past-order.ts'

const QUARTERS = 4
const QUARTER_MS = (DAYS / QUARTERS) * DAY_MS

interface Movement {
  variantId: string
  delta: number
  createdAt: Date
}

/**
 * Adds the reservations of orders, and the deliveries of what they sold: before each quarter, the units that ship in
 * it. The available stock stays the same. Returns the changes of the stock levels by variant and column.
 */
export function addStock(year: Year, orders: readonly PastOrder[]): Map<string, Record<string, number>> {
  const open = addReservations(year, orders)
  const moved = Map.groupBy(year.rows.of('stock_movements') as Movement[], ({ variantId }) => variantId)
  const sold = [...new Set([...open.keys(), ...moved.keys()])]
  return new Map(
    sold.map((variantId) => {
      const { allocated, held } = open.get(variantId) ?? NONE
      const units = allocated + held
      addDeliveries(year, variantId, { movements: moved.get(variantId) ?? [], open: units })
      return [variantId, { stock_on_hand: units, stock_allocated: allocated, stock_held: held }]
    }),
  )
}

const NONE = { allocated: 0, held: 0, shipped: 0, released: 0 }

/** Adds the reservations of orders. Returns the reserved units by variant and status. */
function addReservations(year: Year, orders: readonly PastOrder[]): Map<string, typeof NONE> {
  const units = new Map<string, typeof NONE>()
  for (const { order, reserved } of orders)
    for (const [variantId, byStatus] of reserved)
      for (const [status, quantity] of byStatus) {
        if (quantity === 0) continue
        year.rows.add('stock_reservations', { orderId: order.id, variantId, quantity, status })
        const before = units.get(variantId) ?? NONE
        units.set(variantId, { ...before, [status]: before[status] + quantity })
      }
  return units
}

function addDeliveries(
  year: Year,
  variantId: string,
  { movements, open }: { movements: Movement[]; open: number },
): void {
  const start = year.until.getTime() - DAYS * DAY_MS
  const add = (at: Date, reason: MovementReason, delta: number, note: string) =>
    year.rows.add('stock_movements', {
      id: newIdAt(year, at),
      variantId,
      delta,
      reason,
      reference: null,
      note,
      createdAt: at,
    })
  let returned = 0
  for (let quarter = 0; quarter < QUARTERS; quarter++) {
    const at = new Date(start + quarter * QUARTER_MS)
    const own = movements.filter(
      ({ createdAt }) => Math.floor((createdAt.getTime() - start) / QUARTER_MS) === quarter,
    )
    const shipped = -sumOf(own.filter(({ delta }) => delta < 0))
    const needed = shipped + (quarter === QUARTERS - 1 ? open : 0)
    const delivered = Math.max(0, needed - returned)
    if (delivered > 0) add(at, 'adjustment', delivered, 'Delivery')
    returned += delivered - needed + sumOf(own.filter(({ delta }) => delta > 0))
  }
  if (returned > 0) add(year.until, 'adjustment', -returned, 'Returned goods that are not sold again')
}

const sumOf = (movements: readonly Movement[]): number => movements.reduce((sum, { delta }) => sum + delta, 0)
