import { normalizeEmail } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { now } from '#shared/platform/time/clock.ts'
import { Customer, viewCustomer } from './customer.ts'
import { customerCreated } from './events.ts'
import { sendVerification } from './verify-email.ts'

export interface NewCustomer {
  email: string
  /**
   * Made before the transaction begins: a hash is slow, and a connection should not wait for it. Null for an account
   * that another way leads into.
   */
  passwordHash: string | null
  /** Set where somebody vouches for the address. */
  verifiedAt?: Date | undefined
  firstname: string
  lastname: string
  telephone?: string | undefined
  acceptsMarketing?: boolean | undefined
  language?: string | undefined
}

/** Opens a customer's account and asks them to verify their address. Throws `auth.email_taken` when the store has one with that address. */
export async function registerCustomer(tx: StoreTx, given: NewCustomer): Promise<Customer> {
  const at = now()
  const id = newId()
  // The key decides, not a look beforehand: of two who register at once, one must be refused.
  await Customer.in(tx)
    .insert({
      ...given,
      id,
      emailNormalized: normalizeEmail(given.email),
      isActive: true,
      createdAt: at,
      updatedAt: at,
    })
    .onConflict(['store_id', 'email_normalized'])
    .ignore()
  const customer = await Customer.in(tx).findById(id)
  if (!customer) throw AuthErrors.emailTaken()
  await emit(tx, customerCreated, viewCustomer(customer))
  await sendVerification(tx, customer)
  return customer
}
