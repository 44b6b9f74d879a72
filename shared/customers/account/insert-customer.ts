import { Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { addToCount } from '#shared/customers/customer-counts.ts'
import { assertCustomerGroup, ensureDefaultGroup } from '#shared/customers/customer-group.ts'
import { indexCustomer } from '#shared/customers/customer-words.ts'
import { customerCreated } from '#shared/customers/events.ts'
import { normalizeEmail } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { now } from '#shared/platform/time/clock.ts'

export interface NewCustomer {
  email: string
  /**
   * Null for an account without a password. Hash the password before the transaction, so that no connection waits for
   * the slow hash.
   */
  passwordHash: string | null
  /** The time of the verification, if the address is already verified. */
  verifiedAt?: Date | undefined
  firstname: string
  lastname: string
  telephone?: string | null | undefined
  acceptsMarketing?: boolean | undefined
  language?: string | null | undefined
  isActive?: boolean | undefined
  /** Default: the default group. */
  customerGroupId?: string | undefined
  taxExempt?: boolean | undefined
  taxNumber?: string | null | undefined
  note?: string | null | undefined
  metadata?: MetadataChange | undefined
}

/**
 * Inserts a customer. Throws `auth.email_taken` if a customer of the store has the address, and 422 for an unknown
 * group.
 */
export async function insertCustomer(tx: StoreTx, given: NewCustomer): Promise<Customer> {
  const at = now()
  const id = newId()
  await assertCustomerGroup(tx, given.customerGroupId)
  // The unique key decides, not an earlier read, so that one of two concurrent registrations is refused.
  await Customer.in(tx)
    .insert({
      isActive: true,
      ...given,
      ...(given.verifiedAt ? { firstVerifiedAt: given.verifiedAt } : {}),
      metadata: mergeMetadata({}, given.metadata),
      customerGroupId: given.customerGroupId ?? (await ensureDefaultGroup(tx)),
      id,
      emailNormalized: normalizeEmail(given.email),
      createdAt: at,
      updatedAt: at,
    })
    .onConflict(['store_id', 'email_normalized'])
    .ignore()
  const customer = await Customer.in(tx).findById(id)
  if (!customer) throw AuthErrors.emailTaken()
  await addToCount(tx, customer.customerGroupId)
  await indexCustomer(tx, customer)
  await emit(tx, customerCreated, viewCustomerEvent(customer))
  return customer
}
