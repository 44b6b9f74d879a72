import { findOrderItems, type LineUnits } from '#shared/orders/order-item.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Step } from './draw-history.ts'
import type { Shop } from './shop.ts'

interface PlacedOrder {
  id: string
  accessToken: string | null
}

/** A history while it runs. */
export interface Play {
  shop: Shop
  orders: PlacedOrder[]
  /** Events of the gateway up to this number were delivered or lost. */
  delivered: number
  /** Errors of jobs while the gateway worked. */
  errors: string[]
}

/** What plays steps of some kinds. */
export type Plays<Kinds extends Step['kind']> = {
  [Kind in Kinds]: (play: Play, step: Extract<Step, { kind: Kind }>) => Promise<unknown>
}

export const STAFF = 'staff:1'

/** The order at a position, modulo the number of orders. */
export const orderOf = ({ orders }: Play, position: number): PlacedOrder =>
  orders[position % orders.length] ?? { id: '00000000-0000-7000-8000-000000000000', accessToken: null }

export const inShop = <T>({ shop }: Play, work: (tx: StoreTx) => Promise<T>): Promise<T> =>
  inStore(shop.store.id, work)

/** Units of the line at a position of an order, modulo the number of its lines: at most all of them. */
export async function unitsOf(
  tx: StoreTx,
  orderId: string,
  { line, units }: { line: number; units: number },
): Promise<LineUnits> {
  const lines = await findOrderItems(tx, orderId)
  const chosen = lines[line % lines.length]
  return { orderItemId: chosen?.id ?? '', quantity: Math.min(units, chosen?.quantity ?? 1) }
}

/** A percentage of an amount, at least 1. */
export const shareOf = (amount: bigint, percent: number): bigint => {
  const part = (amount * BigInt(percent)) / 100n
  return part > 0n ? part : 1n
}
