import type { NewCustomer } from '#shared/customers/account/insert-customer.ts'
import { registerCustomer } from '#shared/customers/account/register-customer.ts'
import type { Customer } from '#shared/customers/customer.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import type { TokenPair } from '#shared/identity/sessions/token-pair.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { mergeGuestCart } from './merge-guest-cart.ts'
import type { SignInClient } from './sign-in-client.ts'

/** A customer who has registered, with the tokens of the first session. */
export interface SignedUp {
  customer: Customer
  tokens: TokenPair
}

/**
 * Creates a customer and signs them in. Hash the password before the transaction, so that no connection waits for it.
 * Throws `auth.email_taken`.
 */
export async function signUp(tx: StoreTx, newcomer: NewCustomer, client: SignInClient): Promise<SignedUp> {
  const customer = await registerCustomer(tx, newcomer)
  const tokens = await openSession(tx, { type: 'customer', id: customer.id }, client.device)
  await mergeGuestCart(tx, customer.id, client)
  return { customer, tokens }
}
