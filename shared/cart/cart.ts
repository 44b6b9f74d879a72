import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { Metadata } from '#shared/platform/http/metadata.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'

/** Identifies a cart by the signed-in customer, or else by the guest's token. */
export interface CartHolder {
  customerId: string | null
  cartToken: string | null
}

/** A customer's cart, or a guest's cart with a token. */
export class Cart extends StoreModel {
  static override tableName = 'carts'
  static override jsonAttributes = ['metadata']

  declare customerId: string | null
  /** SHA-256 of the guest's X-Cart-Token. */
  declare tokenHash: Buffer | null
  /** The folded code of the coupon. It stays even while the coupon does not apply. */
  declare couponCode: string | null
  /** The order gets this metadata at checkout. */
  declare metadata: Metadata
  declare createdAt: Date
  declare updatedAt: Date
  /** Null for a customer's cart. It does not expire. */
  declare expiresAt: Date | null
}

/**
 * Units of one variant in a cart, for a single purchase or by a plan. No price is stored, because the current price
 * applies.
 */
export class CartItem extends StoreModel {
  static override tableName = 'cart_items'

  declare cartId: string
  declare variantId: string
  /** Null for a single purchase. */
  declare recurringPlanId: string | null
  declare quantity: number
  declare createdAt: Date
}

/** Locks the holder's cart and returns its id; null if there is none. */
export async function lockCart(tx: StoreTx, { customerId, cartToken }: CartHolder): Promise<string | null> {
  const cart = customerId
    ? await Cart.in(tx).findOne('customer_id', customerId).select('id').forNoKeyUpdate()
    : cartToken && (await lockGuestCart(tx, cartToken))
  return cart ? cart.id : null
}

/** Locks and returns the guest cart of a token, if there is one that has not expired. */
export const lockGuestCart = async (tx: StoreTx, cartToken: string): Promise<Cart | undefined> =>
  Cart.in(tx).findOne('token_hash', sha256(cartToken)).where('expires_at', '>', now()).forNoKeyUpdate()

/** SQL for the cart `c` of a statement. */
export interface CartSql {
  /** Selects the cart. */
  condition: string
  /** Its customer; null in a statement for guests, which then reads no customers. */
  customerId: 'c.customer_id' | null
}

/**
 * Prepares a statement on the holder's cart: the customer's cart, or the token's if it has not expired. `$1` is the
 * current time and `$2` identifies the cart.
 */
export function cartQuery(name: string, textFor: (cart: CartSql) => string) {
  const byCustomer: Statement = {
    name: `${name}_by_customer`,
    text: textFor({
      condition: `c.store_id = ${CURRENT_STORE} and c.customer_id = $2::uuid`,
      customerId: 'c.customer_id',
    }),
  }
  const byToken: Statement = {
    name: `${name}_by_token`,
    text: textFor({
      condition: `c.store_id = ${CURRENT_STORE} and c.token_hash = decode($2, 'hex')
        and c.expires_at > $1::timestamptz`,
      customerId: null,
    }),
  }

  return ({ customerId, cartToken }: CartHolder) => ({
    statement: customerId ? byCustomer : byToken,
    values: [now().toISOString(), customerId ?? sha256(cartToken ?? '').toString('hex')],
  })
}
