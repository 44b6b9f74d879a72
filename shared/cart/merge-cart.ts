import { findSellable, type Sellable } from '#shared/catalog/variants/find-sellable.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { combineMetadata } from '#shared/platform/http/metadata.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Cart, CartItem, lockGuestCart } from './cart.ts'
import { CartVoucher } from './cart-voucher.ts'
import { MAX_LINES, MAX_UNITS, MAX_VOUCHERS } from './limits.ts'
import { openCustomerCart } from './open-cart.ts'

/**
 * Merges a guest cart into a customer's cart on sign-in and at checkout. Quantities are added up to the stock. The
 * guest's coupon and metadata are newer, so they replace the customer's. The guest cart is deleted. A repeat or an
 * unknown token changes nothing.
 */
export async function mergeCart(
  tx: StoreTx,
  { cartToken, customerId }: { cartToken: string; customerId: string },
): Promise<void> {
  const guestCart = await lockGuestCart(tx, cartToken)
  if (!guestCart) return

  const cartId = await openCustomerCart(tx, customerId)
  const items = await CartItem.in(tx).whereIn('cart_id', [guestCart.id, cartId]).orderBy(['created_at', 'id'])
  const guestItems = items.filter((item) => item.cartId === guestCart.id)
  const ownItems = items.filter((item) => item.cartId === cartId)
  await setQuantities(tx, cartId, await mergeQuantities(tx, guestItems, ownItems))
  await moveVouchers(tx, guestCart.id, cartId)
  await mergeFields(tx, guestCart, cartId)
  await Cart.in(tx).deleteById(guestCart.id)
}

/** Replaces the customer's coupon and metadata by the guest's, which are newer. */
async function mergeFields(tx: StoreTx, { couponCode, metadata }: Cart, cartId: string): Promise<void> {
  if (couponCode !== null) await Cart.in(tx).findById(cartId).patch({ couponCode })
  if (Object.keys(metadata).length === 0) return
  const own = await Cart.in(tx).findById(cartId).throwIfNotFound()
  const combined = combineMetadata(own.metadata, metadata)
  await Cart.in(tx).findById(cartId).patch({ metadata: combined })
}

/** Moves the guest's gift vouchers, oldest first, up to the limit of a cart. */
async function moveVouchers(tx: StoreTx, from: string, to: string): Promise<void> {
  const vouchers = await CartVoucher.in(tx).where('cart_id', from).orderBy('id').select('id')
  if (vouchers.length === 0) return
  const room = MAX_VOUCHERS - (await CartVoucher.in(tx).where('cart_id', to).resultSize())
  const ids = vouchers.slice(0, Math.max(0, room)).map(({ id }) => id)
  await CartVoucher.in(tx).whereIn('id', ids).patch({ cartId: to })
}

/** The units that become one line: of one variant, for a single purchase or by one plan. */
type Units = Pick<CartItem, 'variantId' | 'recurringPlanId' | 'quantity'>

/** Returns the changed lines with their new quantities. All lines of a variant share its stock. */
async function mergeQuantities(
  tx: StoreTx,
  guestItems: readonly Units[],
  ownItems: readonly Units[],
): Promise<Units[]> {
  const sellables = await findSellable(
    tx,
    guestItems.map((item) => item.variantId),
  )
  let lines = [...ownItems]
  for (const { variantId, recurringPlanId, quantity: guestQuantity } of guestItems) {
    const linesOfVariant = lines.filter((line) => line.variantId === variantId)
    const ownLine = linesOfVariant.find((line) => line.recurringPlanId === recurringPlanId)
    const ownQuantity = ownLine?.quantity ?? 0
    const inOtherLines = countUnits(linesOfVariant) - ownQuantity
    const available = availableUnits(sellables.get(variantId)) - inOtherLines
    const quantity = mergedQuantity(ownQuantity, guestQuantity, available)
    if (quantity === ownQuantity || (!ownLine && lines.length >= MAX_LINES)) continue
    lines = [...lines.filter((line) => line !== ownLine), { variantId, recurringPlanId, quantity }]
  }
  return lines.filter((line) => !ownItems.includes(line))
}

const countUnits = (lines: readonly Units[]): number =>
  lines.reduce((units, { quantity }) => units + quantity, 0)

const availableUnits = (sellable: Sellable | undefined): number => {
  if (!sellable?.isSellable) return 0
  return sellable.backorder ? Number.POSITIVE_INFINITY : sellable.stockAvailable
}

/** Returns the sum of both quantities up to the available units, but not below the customer's quantity. */
export const mergedQuantity = (own: number, guest: number, available: number): number =>
  Math.max(own, Math.min(own + guest, available, MAX_UNITS))

async function setQuantities(tx: StoreTx, cartId: string, lines: readonly Units[]): Promise<void> {
  if (lines.length === 0) return
  const rows = lines.map(({ variantId, recurringPlanId, quantity }) => ({
    store_id: tx.storeId,
    id: newId(),
    cart_id: cartId,
    variant_id: variantId,
    recurring_plan_id: recurringPlanId,
    quantity,
    created_at: now(),
  }))
  await tx
    .knex('cart_items')
    .insert(rows)
    .onConflict(['store_id', 'cart_id', 'variant_id', 'recurring_plan_id'])
    .merge(['quantity'])
}
