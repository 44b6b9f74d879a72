import type { Customer } from '#shared/customers/customer.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { findLinkEmails } from '#shared/identity/erase-account.ts'
import { findOrdersOfPerson } from '#shared/orders/buyers/find-orders-of-person.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { findFormerEmails } from '#shared/platform/events/erase-events.ts'
import { assertNoOpenBusiness, lockCustomerWithoutOpenBusiness } from './assert-no-open-business.ts'

/** A customer with the keys to all personal data: addresses and orders. */
export interface Person {
  customer: Customer
  customerId: string
  /** All addresses of the account, former ones too, and of its orders, in lower case. */
  emails: string[]
  /** Those that are proven to be the customer's: records of guests with them are theirs too. */
  verifiedEmails: string[]
  orderIds: string[]
}

/**
 * Finds what is a customer's. Records of guests with the address of the account are theirs only if the address is
 * verified: else anyone could register it to read or erase them.
 */
export async function identifyPerson(tx: StoreTx, customer: Customer): Promise<Person> {
  const { id: customerId, email, emailNormalized, verifiedAt } = customer
  const verifiedEmails = verifiedAt ? [...new Set([email.toLowerCase(), emailNormalized])] : []
  const orders = await findOrdersOfPerson(tx, { customerId, emails: verifiedEmails })
  const emails = [
    email,
    emailNormalized,
    ...orders.map((order) => order.email),
    ...(await findFormerEmails(tx, customerId)),
    ...(await findLinkEmails(tx, { type: 'customer', id: customerId })),
  ]
  return {
    customer,
    customerId,
    verifiedEmails,
    emails: [...new Set(emails.map((one) => one.toLowerCase()))],
    orderIds: orders.map(({ id }) => id),
  }
}

/**
 * The same of a customer without open business, whom it locks. Throws `resource.not_found`,
 * `customer.has_open_business` and `customer.anonymized`.
 */
export async function lockPerson(tx: StoreTx, customerId: string): Promise<Person> {
  const customer = await lockCustomerWithoutOpenBusiness(tx, customerId)
  if (customer.anonymizedAt) throw CustomerErrors.anonymized()
  const person = await identifyPerson(tx, customer)
  await assertNoOpenBusiness(tx, person)
  return person
}
