import type { PostalAddress } from '#shared/geo/address.ts'
import { countryNames, zonesOf } from '#shared/geo/countries.ts'
import type { MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatMoney, orderLink, type Site } from '#shared/mail/site.ts'
import type { OrderMailData } from './order-mail.ts'

const WORDS = {
  en: {
    order: 'Order',
    subtotal: 'Subtotal',
    discount: 'Discount',
    shipping: 'Shipping',
    including: 'incl.',
    rounding: 'Rounding',
    total: 'Total',
    voucher: 'Paid by gift voucher',
    remaining: 'Remaining amount',
    address: 'Shipping address',
    view: 'View your order',
  },
  de: {
    order: 'Bestellung',
    subtotal: 'Zwischensumme',
    discount: 'Rabatt',
    shipping: 'Versand',
    including: 'inkl.',
    rounding: 'Rundung',
    total: 'Gesamtbetrag',
    voucher: 'Mit Geschenkgutschein bezahlt',
    remaining: 'Restbetrag',
    address: 'Lieferadresse',
    view: 'Bestellung ansehen',
  },
} as const satisfies Record<MailLanguage, object>

type Words = (typeof WORDS)[MailLanguage]

/** Returns a paragraph for each subscription that the order charges. */
export const chargeBlocks = (language: MailLanguage, { charges }: OrderMailData): Block[] =>
  charges.map(({ charge_no, plan_name }) => CHARGE[language](charge_no, plan_name))

const CHARGE = {
  en: (chargeNo: number, name: string) => `This is charge ${chargeNo} of your subscription “${name}”.`,
  de: (chargeNo: number, name: string) => `Das ist Abbuchung ${chargeNo} Ihres Abonnements „${name}“.`,
} as const satisfies Record<MailLanguage, unknown>

/** Returns the lines, totals and shipping address of an order. */
export function orderBlocks(language: MailLanguage, order: OrderMailData, site: Site): Block[] {
  const words = WORDS[language]
  return [
    { lines: linesOf(order, site), totals: totalsOf(words, order, site) },
    {
      facts: [
        [words.order, order.number],
        [words.address, addressLines(language, order.shipping_address).join('\n')],
        ...(order.shipping_method ? [[words.shipping, order.shipping_method] as const] : []),
      ],
    },
  ]
}

const linesOf = ({ lines, currency }: OrderMailData, site: Site) =>
  lines.map(({ amount, ...line }) => ({ ...line, amount: formatMoney(site, amount, currency) }))

function totalsOf(words: Words, order: OrderMailData, site: Site): [string, string][] {
  const { subtotal, discount_total, shipping_total, rounding_total, taxes, total, voucher_total } = order
  const taxName = (name: string) => (order.prices_include_tax ? `${words.including} ${name}` : name)
  const money = (amount: number) => formatMoney(site, amount, order.currency)
  const unlessZero = (name: string, amount: number): [string, string][] =>
    amount === 0 ? [] : [[name, money(amount)]]
  return [
    [words.subtotal, money(subtotal)],
    ...unlessZero(words.discount, -discount_total),
    [words.shipping, money(shipping_total)],
    ...taxes.map(({ name, amount }): [string, string] => [taxName(name), money(amount)]),
    ...unlessZero(words.rounding, rounding_total),
    [words.total, money(total)],
    ...unlessZero(words.voucher, -voucher_total),
    ...(voucher_total > 0
      ? [[words.remaining, money(total - voucher_total)] satisfies [string, string]]
      : []),
  ]
}

/** Returns the lines of an address, with its country in the language of the mail. */
export const addressLines = (language: MailLanguage, address: PostalAddress): string[] =>
  [
    `${address.firstname} ${address.lastname}`,
    address.company ?? '',
    address.address_1,
    address.address_2 ?? '',
    `${address.postcode} ${address.city}`,
    zonesOf(address.country).find(({ code }) => code === address.zone)?.name ?? '',
    countryNames(language).get(address.country) ?? address.country,
  ].filter((line) => line !== '')

/** Returns a button to the order, if the store has a page for it. */
export function orderButton(
  language: MailLanguage,
  { order_id, access_token }: Pick<OrderMailData, 'order_id' | 'access_token'>,
  site: Site,
  label: string = WORDS[language].view,
): Block[] {
  const url = orderLink(site, order_id, access_token)
  return url ? [{ label, url }] : []
}
