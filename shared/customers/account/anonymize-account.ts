import { clearAddressBook } from '#shared/customers/addresses/clear-address-book.ts'
import { Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { CUSTOMER_WORDS } from '#shared/customers/customer-words.ts'
import { customerDeleted } from '#shared/customers/events.ts'
import { normalizeEmail } from '#shared/identity/email.ts'
import { nextUpdatedAt } from '#shared/platform/db/next-updated-at.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emit } from '#shared/platform/events/events.ts'
import { erasedEmail } from '#shared/platform/privacy/erase-fields.ts'

/**
 * Erases the personal data of a customer and the address book. The caller has locked the customer. The row stays for
 * the orders.
 */
export async function anonymizeAccount(tx: StoreTx, before: Customer): Promise<Customer> {
  const at = nextUpdatedAt(before)
  const email = erasedEmail(before.id)
  await clearAddressBook(tx, before.id)
  await CUSTOMER_WORDS.remove(tx, [before.id])
  const customer = await Customer.in(tx).patchAndFetchById(before.id, {
    email,
    emailNormalized: normalizeEmail(email),
    passwordHash: null,
    firstname: '',
    lastname: '',
    telephone: null,
    language: null,
    acceptsMarketing: false,
    verifiedAt: null,
    firstVerifiedAt: null,
    isActive: false,
    taxNumber: null,
    note: null,
    metadata: {},
    anonymizedAt: at,
    updatedAt: at,
  })
  await emit(tx, customerDeleted, viewCustomerEvent(customer))
  return customer
}
