import { Customer } from '#shared/customers/customer.ts'
import { addToCount } from '#shared/customers/customer-counts.ts'
import { ensureDefaultGroup } from '#shared/customers/customer-group.ts'
import { wordsOf } from '#shared/customers/customer-words.ts'
import { createCustomerGroup } from '#shared/customers/groups/create-customer-group.ts'
import { normalizeEmail } from '#shared/identity/email.ts'
import { idAt } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { MINUTE_MS } from '#shared/platform/time/clock.ts'
import type { Store } from '#shared/stores/store.ts'
import { Chance } from './chance.ts'
import { BUYERS_DOMAIN, drawPerson, type Person } from './people.ts'
import type { Rows } from './write-rows.ts'

const CUSTOMERS = 200

/** A customer before they are written. */
export interface PastCustomer extends Person {
  id: string
  addressId: string
  isTaxExempt: boolean
  groupId: string
  acceptsMarketing: boolean
  hasTaxNumber: boolean
  createdAt: Date
  /** As `CustomerFigures`. */
  ordersCount: number
  totalSpentMinor: bigint
  lastOrderAt: Date | null
}

/** The groups of customers besides the default one, with the share of customers in each. */
const GROUPS = [
  { nameI18n: { en: 'Wholesale', de: 'Großhandel' }, share: 0.08, taxExempt: false },
  { nameI18n: { en: 'Regulars', de: 'Stammkunden' }, share: 0.2, taxExempt: false },
  { nameI18n: { en: 'Embassies', de: 'Botschaften' }, share: 0.03, taxExempt: true },
]
const TAX_EXEMPT = 0.02
const ACCEPT_MARKETING = 0.45
const GUESTS = 0.15
/** Above 1: the first customers order more often than the last. */
const SKEW = 1.7

/** Whether the store has customers of an earlier run. Staff may have changed or anonymized some of them. */
export const hasBuyers = async (tx: StoreTx): Promise<boolean> =>
  (await Customer.in(tx).where('email_normalized', 'like', `%${BUYERS_DOMAIN}`).select('id').first()) !==
  undefined

/**
 * Draws the customers of a store, in groups that it creates, and the buyer of each order: null for a guest. Some
 * customers order often, and some never.
 */
export async function drawCustomers(
  tx: StoreTx,
  { slug, country }: Store,
  orderedAt: readonly Date[],
): Promise<{ customers: PastCustomer[]; buyers: (PastCustomer | null)[] }> {
  const chance = new Chance(`${slug} customers`)
  const people = Array.from({ length: CUSTOMERS }, (_, index) => drawPerson(chance, country, index + 1))
  const numbers = orderedAt.map(() =>
    chance.isTrue(GUESTS) ? null : Math.floor(CUSTOMERS * chance.next() ** SKEW),
  )
  const groups = [{ id: await ensureDefaultGroup(tx), share: 1, taxExempt: false }]
  for (const { share, ...input } of GROUPS)
    groups.unshift({ ...(await createCustomerGroup(tx, input)), share })
  const customers = people.map((person, index): PastCustomer => {
    const group = groups.find(({ share }) => chance.isTrue(share)) as (typeof groups)[0]
    const hasTaxNumber = chance.isTrue(TAX_EXEMPT)
    // Nobody orders before they register.
    const first = orderedAt[numbers.indexOf(index)] ?? chance.pick(orderedAt)
    const createdAt = new Date(first.getTime() - (1 + chance.below(30)) * MINUTE_MS)
    return {
      ...person,
      id: idAt(createdAt, chance.bytes(16)),
      addressId: idAt(createdAt, chance.bytes(16)),
      groupId: group.id,
      isTaxExempt: hasTaxNumber || group.taxExempt,
      hasTaxNumber,
      acceptsMarketing: chance.isTrue(ACCEPT_MARKETING),
      createdAt,
      ordersCount: 0,
      totalSpentMinor: 0n,
      lastOrderAt: null,
    }
  })
  return {
    customers,
    buyers: numbers.map((number) => (number === null ? null : (customers[number] ?? null))),
  }
}

/** Adds the rows of customers, their address books and their words, and counts them in their groups. */
export async function addCustomers(
  tx: StoreTx,
  rows: Rows,
  customers: readonly PastCustomer[],
): Promise<void> {
  for (const customer of customers) addCustomer(rows, customer)
  for (const [groupId, members] of Map.groupBy(customers, (one) => one.groupId))
    await addToCount(tx, groupId, members.length)
}

function addCustomer(rows: Rows, customer: PastCustomer): void {
  const { id, email, firstname, lastname, telephone, address, createdAt, lastOrderAt } = customer
  rows.add('customers', {
    id,
    email,
    emailNormalized: normalizeEmail(email),
    firstname,
    lastname,
    telephone,
    acceptsMarketing: customer.acceptsMarketing,
    verifiedAt: createdAt,
    firstVerifiedAt: createdAt,
    customerGroupId: customer.groupId,
    taxExempt: customer.hasTaxNumber,
    taxNumber: customer.hasTaxNumber ? `${address.country}${id.slice(-9).toUpperCase()}` : null,
    ordersCount: customer.ordersCount,
    totalSpentMinor: customer.totalSpentMinor,
    lastOrderAt,
    createdAt,
    updatedAt: lastOrderAt ?? createdAt,
  })
  const times = { createdAt, updatedAt: createdAt }
  const defaults = { isDefaultShipping: true, isDefaultBilling: true }
  rows.add('customer_addresses', { id: customer.addressId, customerId: id, address, ...defaults, ...times })
  for (const word of wordsOf(customer)) rows.add('customer_words', { word, customerId: id })
}
