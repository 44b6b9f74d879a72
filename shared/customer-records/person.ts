import type { Customer } from '#shared/customers/customer.ts'
import { CustomerErrors } from '#shared/customers/errors.ts'
import { mailboxOf } from '#shared/identity/email.ts'
import { findOrderIdsOfPerson } from '#shared/orders/buyers/find-order-ids-of-person.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertNoOpenBusiness, lockCustomerWithoutOpenBusiness } from './assert-no-open-business.ts'
import type { Visibility } from './find-open-business.ts'

/** A customer, with the addresses and orders by which all personal data is found. */
export interface Person {
  customer: Customer
  customerId: string
  /**
   * The addresses that the customer has proven, in the form of `mailboxOf`. Records of guests with these addresses
   * belong to the customer too. Addresses of orders and requested changes are no proof: anyone can enter somebody
   * else's.
   */
  verifiedEmails: string[]
  orderIds: string[]
}

/**
 * Finds a customer's addresses and orders. Records of guests with the account's address belong to the customer only if
 * the address is verified. Otherwise anyone could register it to read or erase them.
 */
export async function identifyPerson(tx: StoreTx, customer: Customer): Promise<Person> {
  const { id: customerId, email, verifiedAt } = customer
  const verifiedEmails = verifiedAt ? [mailboxOf(email)] : []
  const orderIds = await findOrderIdsOfPerson(tx, { customerId, emails: verifiedEmails })
  return { customer, customerId, verifiedEmails, orderIds }
}

/**
 * Locks a customer without open business, and finds their addresses and orders. Throws `resource.not_found`,
 * `customer.has_open_business` and `customer.anonymized`.
 */
export async function lockPerson(tx: StoreTx, customerId: string, visibility: Visibility): Promise<Person> {
  const customer = await lockCustomerWithoutOpenBusiness(tx, customerId, visibility)
  if (customer.anonymizedAt) throw CustomerErrors.anonymized()
  const person = await identifyPerson(tx, customer)
  // Check again, now with orders of a guest with the same address, disputes and unpaid orders.
  await assertNoOpenBusiness(tx, { ...person, erases: true }, visibility)
  return person
}
