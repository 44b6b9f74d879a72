import type { OrderItem } from '#shared/orders/order-item.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { larger, smaller, sum } from '#shared/platform/money.ts'
import { isPaidBack, Refund, RefundItem } from '#shared/refunds/refund.ts'
import { sumWithdrawnPrices } from '#shared/vouchers/redemptions/voucher-withdrawal.ts'

/** The amounts that a refund has paid back, without bought vouchers, in minor units. */
export interface PaidBackParts {
  /** The amount for units of goods. */
  goodsMinor: bigint
  /** The amount that names neither units nor shipping, and so is for the whole order. */
  unnamedMinor: bigint
}

/**
 * Reads the amounts that the buyer got by each refund of an order, without surplus and excess. A fee reduces the part
 * for goods. The amount for shipping is in neither part.
 */
export async function findPaidBack(
  tx: StoreTx,
  orderId: string,
  lines: readonly OrderItem[],
): Promise<PaidBackParts[]> {
  const refunds = await Refund.in(tx).where('order_id', orderId).where(isPaidBack).orderBy('id')
  const parts: PaidBackParts[] = []
  for (const refund of refunds) parts.push(await partsOf(tx, refund, lines))
  return parts
}

async function partsOf(tx: StoreTx, refund: Refund, lines: readonly OrderItem[]): Promise<PaidBackParts> {
  const items = await RefundItem.in(tx).where('refund_id', refund.id)
  const goods = new Set(lines.filter(({ variantId }) => variantId).map(({ id }) => id))
  const unitsMinor = sum(
    items.filter(({ orderItemId }) => goods.has(orderItemId)).map(({ amountMinor }) => amountMinor),
  )
  const restMinor = larger(0n, paidBackMinor(refund) - (await sumWithdrawnPrices(tx, refund.id)))
  const { shippingAmountMinor } = refund
  if (unitsMinor === 0n && shippingAmountMinor === 0n) return { goodsMinor: 0n, unnamedMinor: restMinor }
  const goodsMinor = smaller(unitsMinor, larger(0n, restMinor - shippingAmountMinor))
  return { goodsMinor, unnamedMinor: 0n }
}

/** Returns the money of a refund that the buyer got for the order. */
const paidBackMinor = ({ status, beyondSurplusMinor, keptMinor, excessMinor }: Refund): bigint =>
  (status === 'succeeded' ? beyondSurplusMinor : keptMinor) - excessMinor
