import { assertLanguage } from '#shared/customers/assert-language.ts'
import { Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { countMove } from '#shared/customers/customer-counts.ts'
import { assertCustomerGroup } from '#shared/customers/customer-group.ts'
import { indexCustomer } from '#shared/customers/customer-words.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { customerUpdated } from '#shared/customers/events.ts'
import { customerEmailChangedMail } from '#shared/customers/mails/email-changed.ts'
import { NO_DEVICE } from '#shared/identity/device.ts'
import { assertPlainEmail, isSameMailbox, normalizeEmail } from '#shared/identity/email.ts'
import { AuthErrors } from '#shared/identity/errors.ts'
import { unlinkAccount } from '#shared/identity/identity-link.ts'
import { recordSecurityEvent } from '#shared/identity/security-event.ts'
import { revokeAccess } from '#shared/identity/sessions/revoke-access.ts'
import { countStaffMail } from '#shared/mail/mail-limits.ts'
import { queueMailByStaff, toRecipient } from '#shared/mail/queue-mail.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import { sqlState, UNIQUE_VIOLATION } from '#shared/platform/db/sql-error.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { emit } from '#shared/platform/events/events.ts'
import { assertUnchanged } from '#shared/platform/http/entity-tag.ts'
import { mergeMetadata } from '#shared/platform/http/metadata.ts'
import type { Store } from '#shared/stores/store.ts'
import type { NewCustomer } from './insert-customer.ts'
import { sendVerification } from './verify-email.ts'

/** The fields of a customer that staff may change. Omitted fields keep their values. */
export type CustomerUpdate = Partial<Omit<NewCustomer, 'passwordHash' | 'verifiedAt'>>

/**
 * Changes a customer on behalf of staff. A deactivated customer is signed out everywhere. A new address must be
 * verified again; its change closes all sessions, deletes the links to identity providers, and is mailed to the former
 * address. Throws `resource.not_found`, `resource.changed`, `auth.email_taken`, `customer.anonymized`, and 422 for an
 * unknown group or a language that the store does not have.
 */
export async function updateCustomer(
  tx: StoreTx,
  store: Store,
  id: string,
  { email, metadata, ...fields }: CustomerUpdate,
  ifMatch: string | undefined,
): Promise<Customer> {
  assertLanguage(store, fields.language)
  // Take a full lock, because the e-mail address is in a unique index: no new row may refer to the customer until the
  // commit.
  const before = assertFound(await Customer.in(tx).findById(id).forUpdate())
  assertUnchanged(before, ifMatch)
  if (before.anonymizedAt) throw CustomerErrors.anonymized()
  await assertCustomerGroup(tx, fields.customerGroupId)

  const hasMoved = email !== undefined && !isSameMailbox(email, before.email)
  if (hasMoved) {
    assertPlainEmail(email)
    await revokeFormerMailbox(tx, before, email)
  }
  if (fields.isActive === false) await revokeAccess(tx, { type: 'customer', id }, 'switched_off')
  const address = email === undefined ? {} : { email, emailNormalized: normalizeEmail(email) }
  const verified = hasMoved ? { verifiedAt: null } : {}
  const merged = { metadata: mergeMetadata(before.metadata, metadata) }
  const customer = await saveCustomer(tx, before, { ...fields, ...merged, ...address, ...verified })
  if (customer.customerGroupId !== before.customerGroupId)
    await countMove(tx, { from: before.customerGroupId, to: customer.customerGroupId })
  await indexCustomer(tx, customer)
  await emit(tx, customerUpdated, viewCustomerEvent(customer))
  if (hasMoved && customer.isActive) {
    await sendVerification(tx, customer)
    countStaffMail(tx, customer.email)
  }
  return customer
}

/** Ends the former mailbox's access to the account, and notifies its owner. */
async function revokeFormerMailbox(tx: StoreTx, before: Customer, email: string): Promise<void> {
  const account = { type: 'customer', id: before.id } as const
  await revokeAccess(tx, account, 'email_changed')
  await unlinkAccount(tx, account)
  // Do not show customers the device of the staff.
  await recordSecurityEvent(tx, 'email_changed', account, NO_DEVICE)
  await queueMailByStaff(tx, customerEmailChangedMail, toRecipient(before), { email })
}

// The unique index decides whether the address is taken, because two concurrent changes would both find it free.
async function saveCustomer(tx: StoreTx, before: Customer, changes: Partial<Customer>): Promise<Customer> {
  try {
    return await Customer.in(tx).patchAndFetchById(before.id, {
      ...changes,
      updatedAt: nextUpdatedAt(before),
    })
  } catch (error) {
    throw sqlState(error) === UNIQUE_VIOLATION ? AuthErrors.emailTaken() : error
  }
}
