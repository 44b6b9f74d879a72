import { assertMaxTotal } from '#shared/cart/assert-max-total.ts'
import { assertTrialUnits } from '#shared/cart/assert-trial-units.ts'
import type { CartHolder } from '#shared/cart/cart.ts'
import { CartErrors } from '#shared/cart/errors.ts'
import { MAX_LINES, MAX_UNITS } from '#shared/cart/limits.ts'
import { openCart } from '#shared/cart/open-cart.ts'
import { type CartContents, loadCart } from '#shared/cart/read-cart.ts'
import { findDefaultVariantId } from '#shared/catalog/variants/find-sellable.ts'
import { newId } from '#shared/platform/db/id.ts'
import { FOREIGN_KEY_VIOLATION, sqlState, violatedConstraint } from '#shared/platform/db/sql-error.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { now } from '#shared/platform/time/clock.ts'
import { notSoldByPlan } from '#shared/recurring-plans/find-sold-recurring-plan.ts'

/** Units of a variant, or else of the first variant of a product, for a single purchase or by a plan. */
export interface NewItem {
  variantId?: string
  productId?: string
  quantity: number
  recurringPlanId?: string | null
}

/**
 * Adds units to the holder's cart, creates the cart if necessary, and returns it with prices. A cart may contain more
 * units than are in stock: the line is shown as unavailable, and checkout rejects it. Throws `resource.not_found` if
 * the variant is not sold, 422 if the plan does not sell it, and the errors of a full cart.
 */
export async function addCartItem(
  tx: StoreTx,
  holder: CartHolder,
  item: NewItem,
): Promise<{ cart: CartContents; token: string | undefined }> {
  const variantId = await resolveVariant(tx, item)
  const { id, token } = await openCart(tx, holder)
  const itemId = await addUnits(tx, id, variantId, item)
  const cart = await loadCart(tx, id)
  assertFits(cart, itemId)
  return { cart, token }
}

async function resolveVariant(tx: StoreTx, { variantId, productId }: NewItem): Promise<string> {
  const found = variantId ?? (productId && (await findDefaultVariantId(tx, productId)))
  if (!found) throw CommonErrors.notFound()
  return found
}

const ADD_UNITS: Statement = {
  name: 'add_cart_units',
  text: `
    insert into cart_items as i (store_id, id, cart_id, variant_id, recurring_plan_id, quantity, created_at)
    values (${CURRENT_STORE}, $1, $2, $3, $4, $5, $6)
    on conflict (store_id, cart_id, variant_id, recurring_plan_id)
    do update set quantity = i.quantity + excluded.quantity
    returning id`,
}

const PLAN_REFERENCE = 'cart_items_store_id_recurring_plan_id_fkey'

/** Adds units to a line or inserts one. Returns the id of the line. */
async function addUnits(
  tx: StoreTx,
  cartId: string,
  variantId: string,
  { quantity, recurringPlanId = null }: NewItem,
): Promise<string> {
  const values = [newId(), cartId, variantId, recurringPlanId, quantity, now()]
  try {
    const [line] = await tx.prepared<{ id: string }>(ADD_UNITS, values)
    return line?.id ?? ''
  } catch (error) {
    if (sqlState(error) !== FOREIGN_KEY_VIOLATION) throw error
    throw violatedConstraint(error) === PLAN_REFERENCE
      ? notSoldByPlan(recurringPlanId)
      : CommonErrors.notFound()
  }
}

/** Checks the cart after the change; an error rolls the change back. */
function assertFits(cart: CartContents, itemId: string): void {
  const { lines } = cart
  const added = lines.find((line) => line.id === itemId)
  if (added?.recurring?.isSold === false) throw notSoldByPlan(added.recurring.planId)
  if (!added?.sellable.isSellable) throw CommonErrors.notFound()
  if (added.quantity > MAX_UNITS) throw CartErrors.tooManyUnits()
  if (lines.length > MAX_LINES) throw CartErrors.lineLimitReached()
  if (added.recurring) assertTrialUnits(lines)
  assertMaxTotal(cart)
}
