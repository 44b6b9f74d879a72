import { anonymizeAffiliates } from '#shared/affiliates/anonymize-affiliates.ts'
import { lockAllResources } from '#shared/audit/lock-resource.ts'
import { destroyKeys, type PersonalResource } from '#shared/audit/sealed-content.ts'
import { eraseCarts } from '#shared/cart/erase-carts.ts'
import { anonymizeCouponUses } from '#shared/coupons/anonymize-coupon-uses.ts'
import { anonymizeAccount } from '#shared/customers/account/anonymize-account.ts'
import type { Customer } from '#shared/customers/customer.ts'
import { eraseAccount } from '#shared/identity/erase-account.ts'
import { sendPasswordReset } from '#shared/identity/jobs.ts'
import { deleteCodesOf } from '#shared/identity-providers/one-time-code.ts'
import { sendMail } from '#shared/mail/jobs.ts'
import { eraseOrderNotes } from '#shared/order-history/erase-order-notes.ts'
import { anonymizeOrders } from '#shared/orders/buyers/anonymize-orders.ts'
import { anonymizePayments } from '#shared/payments/anonymize-payments.ts'
import { eraseCards } from '#shared/payments/saved-cards/erase-cards.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { eraseEvents } from '#shared/platform/events/erase-events.ts'
import { eraseResponsesAbout } from '#shared/platform/idempotency/erase-responses.ts'
import { deleteJobsAbout } from '#shared/platform/jobs/delete-jobs-about.ts'
import { slicesOf } from '#shared/platform/slices-of.ts'
import { anonymizeAuthor } from '#shared/questions/anonymize-author.ts'
import { anonymizeRefunds } from '#shared/refunds/anonymize-refunds.ts'
import { anonymizeReturns } from '#shared/returns/anonymize-returns.ts'
import { anonymizeSubscriptions } from '#shared/subscriptions/anonymize-subscriptions.ts'
import { anonymizeVouchers } from '#shared/vouchers/anonymize-vouchers.ts'
import { eraseExcerpts } from '#shared/webhooks/attempts/erase-excerpts.ts'
import { clearWishlist } from '#shared/wishlist/remove-from-wishlist.ts'
import type { Visibility } from './find-open-business.ts'
import { lockPerson, type Person } from './person.ts'
import { findVoucherIdsOfGiver, findVoucherIdsOfPerson } from './vouchers-of-person.ts'

/** The jobs whose payload names a record or an address of a person. */
export const JOBS_ABOUT_PERSONS = [sendMail, sendPasswordReset] as const

/**
 * Erases a person for ever: the account, and the personal data in orders, events, mails, audit entries and records of
 * requests. Amounts, taxes, countries and postcodes of orders stay. Throws `resource.not_found`,
 * `customer.has_open_business`, which names what is in `visibility`, and `customer.anonymized`.
 */
export async function anonymizeCustomer(
  tx: StoreTx,
  customerId: string,
  visibility: Visibility,
): Promise<Customer> {
  // Lock first: a concurrent change could write old personal data to the audit log after its key is deleted.
  await lockAllResources(tx)
  const person = await lockPerson(tx, customerId, visibility)
  const cartIds = await eraseCarts(tx, person)
  const resources = await anonymizeRows(tx, person)
  const ids = resources.map(({ id }) => id)
  // The event of the anonymization is emitted later, and has no personal data.
  const eventIds = await eraseEvents(tx, ids, customerId)
  await eraseExcerpts(tx, eventIds)
  await destroyKeys(tx, resources)
  const queues = JOBS_ABOUT_PERSONS.map(({ queue }) => queue)
  const about = { queues, recordIds: ids, email: person.customer.email }
  tx.beforeCommit('jobs about a person', () => deleteJobsAbout(tx.knex, tx.storeId, about), 'running jobs')
  const recordIds = [...ids, ...cartIds]
  await eraseResponsesAbout(tx, { principal: `customer:${customerId}`, personId: customerId, recordIds })
  return anonymizeAccount(tx, person.customer)
}

// A statement about all orders of a person could exceed its time limit.
const BATCH_SIZE = 5_000

/**
 * Erases the person from the rows of every domain. Returns the resources whose audit entries and events must be erased.
 */
async function anonymizeRows(tx: StoreTx, person: Person): Promise<PersonalResource[]> {
  const { customerId, orderIds } = person
  const account = { type: 'customer', id: customerId } as const
  await eraseAccount(tx, account)
  await deleteCodesOf(tx, account)
  await clearWishlist(tx, customerId)
  await anonymizeOrders(tx, orderIds, customerId)
  for (const batch of slicesOf(orderIds, BATCH_SIZE)) {
    await eraseOrderNotes(tx, batch)
    await anonymizeCouponUses(tx, batch, customerId)
    await anonymizePayments(tx, batch)
    await anonymizeRefunds(tx, batch)
  }
  await eraseCards(tx, customerId)
  const of = (type: string, ids: readonly string[]) => ids.map((id) => ({ type, id }))
  return [
    ...of('customers', [customerId]),
    ...of('orders', orderIds),
    ...of('returns', await anonymizeReturns(tx, orderIds)),
    ...of('subscriptions', await anonymizeSubscriptions(tx, customerId)),
    ...of('vouchers', await eraseFromVouchers(tx, person)),
    ...of('affiliates', await anonymizeAffiliates(tx, customerId)),
    ...of('questions', await anonymizeAuthor(tx, person)),
  ]
}

/** Returns the ids of the gift vouchers that named the person. */
async function eraseFromVouchers(tx: StoreTx, person: Person): Promise<string[]> {
  const givenIds = await findVoucherIdsOfGiver(tx, person)
  const ids = [...new Set([...(await findVoucherIdsOfPerson(tx, person)), ...givenIds])]
  await anonymizeVouchers(tx, ids, { ...person, givenIds })
  return ids
}
