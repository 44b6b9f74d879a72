import { inMs, now } from '../platform/clock.ts'
import { randomToken, sha256 } from '../platform/crypto.ts'
import { newId } from '../platform/id.ts'
import type { StoreTx } from '../platform/store-scope.ts'
import { Cart } from './cart.ts'
import { GUEST_CART_MS } from './limits.ts'

/** Whose cart is meant: the customer's when one is signed in, else the one that the token opens. */
export interface CartHolder {
  customerId: string | null
  cartToken: string | null
}

/** A cart that is about to change, locked. `token` is set when it was just made for a guest: it is shown once. */
export interface OpenCart {
  id: string
  token?: string
}

/** Finds the holder's cart, or makes one. An unknown or expired token opens none: the guest gets a new one. */
export async function openCart(tx: StoreTx, { customerId, cartToken }: CartHolder): Promise<OpenCart> {
  if (customerId) return { id: await openCustomerCart(tx, customerId) }
  const known = cartToken ? await openGuestCart(tx, cartToken) : undefined
  return known ? { id: known } : makeGuestCart(tx)
}

export async function openCustomerCart(tx: StoreTx, customerId: string): Promise<string> {
  const { rows } = await tx.knex.raw<{ rows: { id: string }[] }>(
    `insert into carts as c (store_id, id, customer_id, created_at, updated_at) values (:storeId, :id, :customerId, :at, :at)
     on conflict (store_id, customer_id) do update set updated_at = excluded.updated_at
     returning c.id`,
    { storeId: tx.storeId, id: newId(), customerId, at: now() },
  )
  return (rows as [{ id: string }])[0].id
}

async function openGuestCart(tx: StoreTx, token: string): Promise<string | undefined> {
  const [cart] = await Cart.in(tx)
    .patch({ updatedAt: now(), expiresAt: inMs(GUEST_CART_MS) })
    .where('token_hash', sha256(token))
    .where('expires_at', '>', now())
    .returning('id')
  return cart?.id
}

async function makeGuestCart(tx: StoreTx): Promise<OpenCart> {
  const token = randomToken()
  const at = now()
  const cart = await Cart.in(tx).insert({
    tokenHash: sha256(token),
    createdAt: at,
    updatedAt: at,
    expiresAt: inMs(GUEST_CART_MS),
  })
  return { id: cart.id, token }
}
