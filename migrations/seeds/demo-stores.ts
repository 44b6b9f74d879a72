import '#shared/all-principals.ts'
import { createCoupon, type NewCoupon } from '#shared/coupons/create-coupon.ts'
import { hashPassword } from '#shared/identity/passwords/password.ts'
import { insertPaymentMethod } from '#shared/payment-methods/payment-method.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { insertStaffMember } from '#shared/staff/members/insert-staff-member.ts'
import { createStore, type NewStore } from '#shared/stores/lifecycle/create-store.ts'
import { issuePublishableKey } from '#shared/stores/publishable-keys/issue-publishable-key.ts'
import { seedPages } from './demo-pages.ts'
import { type ShippingDraft, seedTaxesAndShipping, type TaxDraft } from './taxes-and-shipping.ts'

interface Person {
  email: string
  password: string
  firstname: string
  lastname: string
  role: string
}

export interface DemoStore extends NewStore {
  domain: string
  /** The name of the catalog's CSV file in the sandbox's folder. */
  catalogFile: string
  owner: Person
  staff: Person[]
  taxes: TaxDraft[]
  shipping: ShippingDraft[]
}

const person = (store: string, role: string, firstname: string, lastname: string): Person => ({
  email: `${role}@${store}.example`,
  password: `${store}-${role}-demo`,
  firstname,
  lastname,
  role,
})

/** Two stores: one with a real assortment, and a small one, some of whose products have the same slugs. */
export const DEMO_STORES: readonly DemoStore[] = [
  {
    slug: 'harbor',
    name: 'Harbor Goods',
    email: 'hello@harbor.example',
    currency: 'EUR',
    languages: ['en', 'de'],
    timeZone: 'Europe/Berlin',
    country: 'DE',
    domain: 'harbor.localhost',
    domains: ['harbor.localhost'],
    minOrderTotalMinor: 500n,
    seo: { title: 'Harbor Goods', description: 'Things for the coast, made to be mended.' },
    catalogFile: 'harbor.csv',
    owner: person('harbor', 'owner', 'Hanne', 'Clausen'),
    staff: [
      person('harbor', 'administrator', 'Tom', 'Adler'),
      person('harbor', 'catalog', 'Mina', 'Vogt'),
      person('harbor', 'sales', 'Jonas', 'Petersen'),
      person('harbor', 'accounting', 'Ruth', 'Engel'),
    ],
    taxes: [
      { code: 'standard', percent: 19, zones: ['germany', 'union'] },
      { code: 'reduced', percent: 7, zones: ['germany', 'union'] },
    ],
    shipping: [
      {
        code: 'parcel',
        name: 'Parcel',
        nameDe: 'Paket',
        priceMinor: 490n,
        freeFromMinor: 10_000n,
        days: '2–4',
        zones: ['germany'],
      },
      {
        code: 'express',
        name: 'Express',
        nameDe: 'Express',
        priceMinor: 1_290n,
        days: '1',
        zones: ['germany'],
      },
      {
        code: 'parcel-eu',
        name: 'Parcel to the EU',
        nameDe: 'Paket in die EU',
        priceMinor: 1_290n,
        days: '4–7',
        zones: ['union'],
      },
      {
        code: 'parcel-world',
        name: 'Parcel to the world',
        nameDe: 'Paket in die Welt',
        priceMinor: 2_990n,
        days: '7–21',
        zones: ['world'],
      },
    ],
  },
  {
    slug: 'atelier',
    name: 'Atelier Nord',
    email: 'hello@atelier.example',
    currency: 'DKK',
    languages: ['en'],
    timeZone: 'Europe/Copenhagen',
    country: 'DK',
    pricesIncludeTax: true,
    domain: 'atelier.localhost',
    domains: ['atelier.localhost'],
    seo: { title: 'Atelier Nord' },
    catalogFile: 'atelier.csv',
    owner: person('atelier', 'owner', 'Imke', 'Holm'),
    staff: [person('atelier', 'sales', 'Karl', 'Lund')],
    taxes: [{ code: 'standard', percent: 25, zones: ['denmark', 'union'] }],
    shipping: [
      {
        code: 'parcel',
        name: 'Parcel',
        nameDe: 'Paket',
        priceMinor: 4_900n,
        days: '3–5',
        zones: ['denmark', 'union'],
      },
      {
        code: 'parcel-world',
        name: 'Parcel to the world',
        nameDe: 'Paket in die Welt',
        priceMinor: 19_900n,
        days: '7–21',
        zones: ['world'],
      },
    ],
  },
]

const PAYMENT_METHODS = [
  { code: 'card', nameI18n: { en: 'Card', de: 'Karte' } },
  {
    code: 'bank_transfer',
    nameI18n: { en: 'Bank transfer', de: 'Überweisung' },
    instructionsI18n: { en: 'Transfer the total within seven days, naming the order number.' },
  },
  { code: 'cash_on_delivery', nameI18n: { en: 'Cash on delivery', de: 'Nachnahme' } },
  { code: 'sandbox', nameI18n: { en: 'Play money', de: 'Spielgeld' } },
] as const

/** A coupon to try in a cart. */
const WELCOME: NewCoupon = {
  code: 'WELCOME10',
  name: 'Ten percent off, once',
  type: 'percent',
  value: 10,
  usesPerCustomer: 1,
}

const withHash = async ({ password, ...person }: Person) => ({
  ...person,
  passwordHash: await hashPassword(password),
})

/**
 * Creates a demo store with its staff, shipping and payment methods, a coupon and information pages. Its catalog is
 * imported separately.
 */
export async function seedStore(demo: DemoStore): Promise<{ id: string; publishableKey: string }> {
  const owner = await withHash(demo.owner)
  const staff = await Promise.all(demo.staff.map(withHash))
  const { id } = await inStore(newId(), (tx) => createStore(tx, demo))
  const publishableKey = await inStore(id, async (tx) => {
    await insertStaffMember(tx, { ...owner, isOwner: true })
    for (const member of staff) await insertStaffMember(tx, member)
    await seedTaxesAndShipping(tx, demo)
    for (const [position, method] of PAYMENT_METHODS.entries())
      await insertPaymentMethod(tx, { ...method, position })
    await createCoupon(tx, demo.currency, WELCOME)
    const { key } = await issuePublishableKey(tx, null, { mode: 'test', name: 'Demo' })
    return key
  })
  await seedPages({ id, slug: demo.slug })
  return { id, publishableKey }
}
