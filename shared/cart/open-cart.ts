import { newId } from '#shared/platform/db/id.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { randomToken, sha256 } from '#shared/platform/secrets/crypto.ts'
import { inMs, now } from '#shared/platform/time/clock.ts'
import { type CartHolder, cartQuery } from './cart.ts'
import { GUEST_CART_MS } from './limits.ts'

/** A locked cart. `token` is set only for a new guest cart. It is shown once. */
export interface OpenCart {
  id: string
  token?: string
}

/** Finds and locks the holder's cart, or creates it. A guest with an unknown or expired token gets a new cart. */
export async function openCart(tx: StoreTx, { customerId, cartToken }: CartHolder): Promise<OpenCart> {
  if (customerId) return { id: await openCustomerCart(tx, customerId) }
  const known = cartToken ? await openGuestCart(tx, cartToken) : undefined
  return known ? { id: known } : createGuestCart(tx)
}

const OPEN_CUSTOMER_CART: Statement = {
  name: 'open_customer_cart',
  text: `
    insert into carts as c (store_id, id, customer_id, created_at, updated_at)
    values (${CURRENT_STORE}, $1, $2, $3, $3)
    on conflict (store_id, customer_id) do update set updated_at = excluded.updated_at
    returning c.id`,
}

export async function openCustomerCart(tx: StoreTx, customerId: string): Promise<string> {
  const rows = await tx.prepared<{ id: string }>(OPEN_CUSTOMER_CART, [newId(), customerId, now()])
  return (rows as [{ id: string }])[0].id
}

const openQuery = cartQuery(
  'open_cart',
  ({ condition }) => `
    update carts as c set updated_at = $1::timestamptz, expires_at = $3::timestamptz
    where ${condition}
    returning c.id`,
)

async function openGuestCart(tx: StoreTx, cartToken: string): Promise<string | undefined> {
  const { statement, values } = openQuery({ customerId: null, cartToken })
  const [cart] = await tx.prepared<{ id: string }>(statement, [...values, inMs(GUEST_CART_MS)])
  return cart?.id
}

const CREATE_GUEST_CART: Statement = {
  name: 'make_guest_cart',
  text: `
    insert into carts (store_id, id, token_hash, created_at, updated_at, expires_at)
    values (${CURRENT_STORE}, $1, $2, $3, $3, $4)`,
}

async function createGuestCart(tx: StoreTx): Promise<OpenCart> {
  const id = newId()
  const token = randomToken()
  await tx.prepared(CREATE_GUEST_CART, [id, sha256(token), now(), inMs(GUEST_CART_MS)])
  return { id, token }
}
