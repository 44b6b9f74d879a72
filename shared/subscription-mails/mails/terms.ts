import { type Static, Type } from 'typebox'
import { AddressView, type PostalAddress } from '#shared/geo/address.ts'
import type { MailLanguage } from '#shared/mail/define-mail.ts'
import { formatMoney, type Site } from '#shared/mail/site.ts'
import { addressLines } from '#shared/order-mails/mails/blocks.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'
import { DURATION_UNITS, type DurationUnit } from '#shared/recurring-plans/schedule.ts'

/** What a customer has subscribed to, and where it is sent. */
export const MailedTerms = Shape({
  plan_name: Type.String(),
  /** In major units. */
  unit_price: Type.Number(),
  quantity: Type.Integer(),
  duration: Type.Integer(),
  duration_unit: Type.Enum([...DURATION_UNITS]),
  /** Null: without an end. */
  charges_left: Nullable(Type.Integer()),
  recipient: Type.String(),
  telephone: Type.String(),
  shipping_address: AddressView,
  billing_address: AddressView,
  shipping_method: Type.String(),
})
export type MailedTerms = Static<typeof MailedTerms>

const WORDS = {
  en: {
    plan: 'Subscription',
    price: 'Price of a unit',
    quantity: 'Quantity',
    interval: 'Charged',
    charges: 'Charges to come',
    endless: 'without an end',
    recipient: 'Recipient',
    telephone: 'Telephone',
    shippingAddress: 'New shipping address',
    billingAddress: 'New billing address',
    shipping: 'Shipping',
  },
  de: {
    plan: 'Abonnement',
    price: 'Preis je Stück',
    quantity: 'Menge',
    interval: 'Abbuchung',
    charges: 'Kommende Abbuchungen',
    endless: 'ohne Ende',
    recipient: 'Empfänger',
    telephone: 'Telefon',
    shippingAddress: 'Neue Lieferadresse',
    billingAddress: 'Neue Rechnungsadresse',
    shipping: 'Versand',
  },
} as const satisfies Record<MailLanguage, object>

/** The texts of one period, and of several. */
const PERIODS = {
  en: {
    day: ['every day', 'days'],
    week: ['every week', 'weeks'],
    semi_month: ['twice a month', 'half months'],
    month: ['every month', 'months'],
    year: ['every year', 'years'],
  },
  de: {
    day: ['täglich', 'Tage'],
    week: ['wöchentlich', 'Wochen'],
    semi_month: ['zweimal im Monat', 'halben Monate'],
    month: ['monatlich', 'Monate'],
    year: ['jährlich', 'Jahre'],
  },
} as const satisfies Record<MailLanguage, Record<DurationUnit, readonly [string, string]>>

const EVERY = { en: 'every', de: 'alle' } as const satisfies Record<MailLanguage, string>

function intervalOf(language: MailLanguage, { duration, duration_unit }: MailedTerms): string {
  const [one, many] = PERIODS[language][duration_unit]
  return duration === 1 ? one : `${EVERY[language]} ${duration} ${many}`
}

/** Returns the terms that a change replaced: of an address the new one, of others the old and the new one. */
export function changedFacts(
  language: MailLanguage,
  { before, after, currency }: { before: MailedTerms; after: MailedTerms; currency: string },
  site: Site,
): [string, string][] {
  const words = WORDS[language]
  const changed = (name: string, textOf: (terms: MailedTerms) => string): [string, string][] => {
    const [old, current] = [textOf(before), textOf(after)]
    return old === current ? [] : [[name, `${old || '–'} → ${current || '–'}`]]
  }
  const replaced = (name: string, addressOf: (terms: MailedTerms) => PostalAddress): [string, string][] => {
    const [old, current] = [before, after].map((terms) => addressText(language, addressOf(terms)))
    return old === current ? [] : [[name, current ?? '']]
  }
  return [
    ...changed(words.plan, ({ plan_name }) => plan_name),
    ...changed(words.price, ({ unit_price }) => formatMoney(site, unit_price, currency)),
    ...changed(words.quantity, ({ quantity }) => String(quantity)),
    ...changed(words.interval, (terms) => intervalOf(language, terms)),
    ...changed(words.charges, ({ charges_left }) => String(charges_left ?? words.endless)),
    ...changed(words.recipient, ({ recipient }) => recipient),
    ...changed(words.telephone, ({ telephone }) => telephone),
    ...changed(words.shipping, ({ shipping_method }) => shipping_method),
    ...replaced(words.shippingAddress, ({ shipping_address }) => shipping_address),
    ...replaced(words.billingAddress, ({ billing_address }) => billing_address),
  ]
}

const addressText = (language: MailLanguage, address: PostalAddress): string =>
  [...addressLines(language, address), address.telephone ?? ''].filter((line) => line !== '').join('\n')
