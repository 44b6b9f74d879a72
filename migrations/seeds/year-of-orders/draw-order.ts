import type { CartLine } from '#shared/cart/cart-line.ts'
import { draftOrder, type OrderInput } from '#shared/checkout/draft-order.ts'
import { roundTotal } from '#shared/checkout/round-total.ts'
import type { CouponCandidate } from '#shared/coupons/apply-coupon.ts'
import { emailHash } from '#shared/customers/email-hash.ts'
import { newOrderNumber } from '#shared/orders/order.ts'
import type { Store } from '#shared/stores/store.ts'
import { taxRulesFor } from '#shared/tax/tax-rules.ts'
import { type Assortment, toCartLine } from './assortment.ts'
import type { PastCustomer } from './customers.ts'
import type { Life } from './lives.ts'
import { newIdAt, type PastOrder, placePastOrder, type Year } from './past-order.ts'
import { drawPerson, type Person } from './people.ts'

const METHODS = ['sandbox', 'sandbox', 'sandbox', 'bank_transfer', 'cash_on_delivery'] as const
const WITH_COUPON = 0.12
const WITH_GERMAN = 0.3
/** The numbers of lines of an order, and of units of a line. A number is drawn as often as it is listed. */
const LINES = [1, 1, 1, 2, 2, 3, 4]
const UNITS = [1, 1, 1, 1, 2, 2, 3]

/** The store of the orders. */
export interface Shop {
  store: Store
  assortment: Assortment
  coupons: readonly CouponCandidate[]
}

interface Ordered {
  at: Date
  /** Null for a guest. */
  buyer: PastCustomer | null
  life: Life
}

/** Draws an order, prices it as a checkout does at the prices of today, and places it. */
export function drawOrder(year: Year, shop: Shop, { at, buyer, life }: Ordered): PastOrder {
  const { chance } = year
  const number = newOrderNumber(chance.bytes(10))
  const guest = () => drawPerson(chance, shop.store.country, `guest-${number.toLowerCase()}`)
  const paymentMethod = life.paymentMethod ?? chance.pick(METHODS)
  const lines = drawLines(year, shop.assortment, life.lines)
  const coupon = chance.isTrue(WITH_COUPON) ? chance.pick(shop.coupons) : null
  const input = drawInput(year, shop, { buyer, person: buyer ?? guest(), paymentMethod, lines, coupon })
  const draft = draftOrder(input)
  const facts = roundTotal({ ...draft.details, voucherMinor: 0n })
  // As checkout does: what is paid on delivery may ship immediately.
  const status = paymentMethod === 'cash_on_delivery' ? 'processing' : 'pending'
  const past = placePastOrder(year, at, { status, number, facts, lines: draft.lines })
  if (coupon) redeem(past, coupon)
  return past
}

interface Drawn {
  buyer: PastCustomer | null
  person: Person
  paymentMethod: string
  lines: CartLine[]
  coupon: CouponCandidate | null
}

function drawInput(
  { chance }: Year,
  { store, assortment }: Shop,
  { buyer, person, paymentMethod, lines, coupon }: Drawn,
): OrderInput {
  const { email, firstname, lastname, telephone, address } = person
  const { country, methods, tax } = rulesOf(assortment, [address.country, store.country])
  const shippingAddress = { ...address, country }
  const customerId = buyer?.id ?? null
  const isTaxExempt = buyer?.isTaxExempt ?? false
  return {
    store,
    customerId,
    email,
    lines,
    giftVouchers: [],
    metadata: {},
    language: chance.isTrue(WITH_GERMAN) && store.languages.includes('de') ? 'de' : store.defaultLanguage,
    coupon: coupon && { rules: coupon, customerId },
    rules: { shipping: chance.pick(methods), takesPayment: true, tax: taxRulesFor({ isTaxExempt }, tax) },
    request: { firstname, lastname, telephone, shippingAddress, paymentMethod },
  }
}

/** The terms of the first of the countries to which the store ships, else of any. */
function rulesOf({ terms }: Assortment, countries: readonly (string | null)[]) {
  for (const country of [...countries, ...terms.keys()]) {
    const found = country && terms.get(country)
    if (found) return { country, ...found }
  }
  throw new Error('The store ships nowhere')
}

function drawLines({ chance }: Year, { goods }: Assortment, atLeast = 1): CartLine[] {
  const count = Math.min(goods.length, Math.max(atLeast, chance.pick(LINES)))
  const drawn = new Set<(typeof goods)[number]>()
  // Some goods sell better than others.
  while (drawn.size < count)
    drawn.add(goods[Math.floor(goods.length * chance.next() ** 1.4)] as (typeof goods)[0])
  return [...drawn].map((sellable) => toCartLine(sellable, chance.pick(UNITS)))
}

function redeem(past: PastOrder, { id: couponId, currency }: CouponCandidate): void {
  const { year, order, at } = past
  past.couponUse = year.rows.add('coupon_uses', {
    id: newIdAt(year, at),
    couponId,
    orderId: order.id,
    customerId: order.customerId,
    emailHash: emailHash(order.email),
    discountMinor: order.discountMinor,
    currency,
    createdAt: at,
    releasedAt: null,
  })
}
