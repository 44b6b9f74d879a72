import { findDefaultVariantId } from '#shared/catalog/find-sellable.ts'
import { newId } from '#shared/platform/db/id.ts'
import { FOREIGN_KEY_VIOLATION, sqlState } from '#shared/platform/db/sql-error.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'
import type { CartHolder } from './cart.ts'
import { CartErrors } from './errors.ts'
import { MAX_LINES, MAX_UNITS } from './limits.ts'
import { openCart } from './open-cart.ts'
import { assertMaxTotal } from './price-cart.ts'
import { type CartContents, loadCart } from './read-cart.ts'

/** Units of a variant, or of the first variant of a product. */
export interface NewItem {
  variantId?: string
  productId?: string
  quantity: number
}

/**
 * Adds units to the holder's cart, creates the cart if necessary, and returns it priced. A cart may contain more units
 * than are in stock: the line is shown as unavailable, and checkout rejects it.
 */
export async function addItem(
  tx: StoreTx,
  holder: CartHolder,
  item: NewItem,
): Promise<{ cart: CartContents; token: string | undefined }> {
  const variantId = await resolveVariant(tx, item)
  const { id, token } = await openCart(tx, holder)
  await addUnits(tx, id, variantId, item.quantity)
  const cart = await loadCart(tx, id)
  assertFits(cart, variantId)
  return { cart, token }
}

async function resolveVariant(tx: StoreTx, { variantId, productId }: NewItem): Promise<string> {
  if ((variantId === undefined) === (productId === undefined))
    throw invalid([], 'Send one of variant_id, product_id and voucher')
  const found = variantId ?? (await findDefaultVariantId(tx, productId ?? ''))
  if (!found) throw CommonErrors.notFound()
  return found
}

const ADD_UNITS: Statement = {
  name: 'add_cart_units',
  text: `
    insert into cart_items as i (store_id, id, cart_id, variant_id, quantity, created_at)
    values (${CURRENT_STORE}, $1, $2, $3, $4, $5)
    on conflict (store_id, cart_id, variant_id, recurring_plan_id) do update set quantity = i.quantity + excluded.quantity`,
}

async function addUnits(tx: StoreTx, cartId: string, variantId: string, quantity: number): Promise<void> {
  try {
    await tx.prepared(ADD_UNITS, [newId(), cartId, variantId, quantity, now()])
  } catch (error) {
    throw sqlState(error) === FOREIGN_KEY_VIOLATION ? CommonErrors.notFound() : error
  }
}

/** Checks the cart after the change; an error rolls the change back. */
function assertFits(cart: CartContents, variantId: string): void {
  const { lines } = cart
  const added = lines.find((line) => line.variantId === variantId)
  if (!added?.sellable.isSellable) throw CommonErrors.notFound()
  if (added.quantity > MAX_UNITS) throw CartErrors.tooManyUnits()
  if (lines.length > MAX_LINES) throw CartErrors.tooManyLines()
  assertMaxTotal(cart)
}
