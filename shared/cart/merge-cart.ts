import { findSellable, type Sellable } from '#shared/catalog/find-sellable.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Cart } from './cart.ts'
import { CartItem } from './cart-item.ts'
import { CartVoucher } from './cart-voucher.ts'
import { MOST_LINES, MOST_UNITS, MOST_VOUCHERS } from './limits.ts'
import { openCustomerCart } from './open-cart.ts'

/**
 * Pours a guest's cart into a customer's (interface document, section 9: on sign-in, also at checkout). Quantities
 * add up, as far as the stock goes; the guest's coupon, put on last, takes the place of the customer's. The
 * guest's cart is gone afterwards, so doing it again changes nothing; neither does an unknown token.
 */
export async function mergeCart(
  tx: StoreTx,
  { cartToken, customerId }: { cartToken: string; customerId: string },
): Promise<void> {
  const guestCart = await Cart.in(tx)
    .findOne('token_hash', sha256(cartToken))
    .where('expires_at', '>', now())
    .forNoKeyUpdate()
  if (!guestCart) return

  const cartId = await openCustomerCart(tx, customerId)
  const items = await CartItem.in(tx).whereIn('cart_id', [guestCart.id, cartId]).orderBy(['created_at', 'id'])
  const theirs = items.filter((item) => item.cartId === guestCart.id)
  const mine = new Map(items.filter((item) => item.cartId === cartId).map((i) => [i.variantId, i.quantity]))
  await setQuantities(tx, cartId, await merged(tx, theirs, mine))
  await moveVouchers(tx, guestCart.id, cartId)
  const { couponCode } = guestCart
  if (couponCode !== null) await Cart.in(tx).findById(cartId).patch({ couponCode })
  await Cart.in(tx).deleteById(guestCart.id)
}

/** As many of the guest's gift vouchers as there is room for, the oldest first. */
async function moveVouchers(tx: StoreTx, from: string, to: string): Promise<void> {
  const theirs = await CartVoucher.in(tx).where('cart_id', from).orderBy('id').select('id')
  if (theirs.length === 0) return
  const room = MOST_VOUCHERS - (await CartVoucher.in(tx).where('cart_id', to).resultSize())
  const ids = theirs.slice(0, room < 0 ? 0 : room).map(({ id }) => id)
  await CartVoucher.in(tx).whereIn('id', ids).patch({ cartId: to })
}

type Quantities = Map<string, number>

async function merged(tx: StoreTx, theirs: CartItem[], mine: Quantities): Promise<Quantities> {
  const sellables = await findSellable(
    tx,
    theirs.map((item) => item.variantId),
  )
  const quantities: Quantities = new Map()
  let room = MOST_LINES - mine.size
  for (const { variantId, quantity } of theirs) {
    const had = mine.get(variantId) ?? 0
    const together = mergedQuantity(had, quantity, unitsToBeHad(sellables.get(variantId)))
    if (together > had && (had > 0 || room-- > 0)) quantities.set(variantId, together)
  }
  return quantities
}

const unitsToBeHad = (sellable: Sellable | undefined): number => {
  if (!sellable?.isSellable) return 0
  return sellable.backorder ? MOST_UNITS : sellable.stockAvailable
}

/** What both ask for, as far as the stock goes; never less than the customer had. */
export const mergedQuantity = (mine: number, theirs: number, available: number): number =>
  Math.max(mine, Math.min(mine + theirs, available, MOST_UNITS))

async function setQuantities(tx: StoreTx, cartId: string, quantities: Quantities): Promise<void> {
  if (quantities.size === 0) return
  const rows = [...quantities].map(([variantId, quantity]) => ({
    store_id: tx.storeId,
    id: newId(),
    cart_id: cartId,
    variant_id: variantId,
    quantity,
    created_at: now(),
  }))
  await tx
    .knex('cart_items')
    .insert(rows)
    .onConflict(['store_id', 'cart_id', 'variant_id'])
    .merge(['quantity'])
}
