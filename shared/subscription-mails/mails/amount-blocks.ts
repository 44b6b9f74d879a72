import { type Static, Type } from 'typebox'
import type { MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatMoney, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'

const Amount = Type.Number()

/** The amount of a charge at today's prices, in major units. */
export const ChargeAmount = {
  currency: Type.String(),
  prices_include_tax: Type.Boolean(),
  /** Null if it cannot be calculated today. */
  amount: Nullable(Shape({ subtotal: Amount, shipping_total: Amount, tax_total: Amount, total: Amount })),
}
const ChargeAmountData = Shape({ ...ChargeAmount, name: Type.String(), quantity: Type.Integer() })
type ChargeAmountData = Static<typeof ChargeAmountData>

const WORDS = {
  en: { shipping: 'Shipping', tax: 'Tax', including: 'incl. tax', total: 'Total' },
  de: { shipping: 'Versand', tax: 'Steuer', including: 'inkl. Steuer', total: 'Gesamtbetrag' },
} as const satisfies Record<MailLanguage, object>

/** Returns the parts of the charge at today's prices. */
export function amountBlocks(language: MailLanguage, data: ChargeAmountData, site: Site): Block[] {
  const { amount, currency, quantity, name, prices_include_tax } = data
  if (!amount) return []
  const words = WORDS[language]
  const money = (value: number) => formatMoney(site, value, currency)
  const tax = [prices_include_tax ? words.including : words.tax, money(amount.tax_total)] as const
  return [
    {
      lines: [{ name, quantity, amount: money(amount.subtotal) }],
      totals: [
        [words.shipping, money(amount.shipping_total)],
        ...(amount.tax_total === 0 ? [] : [tax]),
        [words.total, money(amount.total)],
      ],
    },
  ]
}

/** Returns the total for the end of a sentence; empty if it cannot be calculated today. */
export const totalText = ({ amount, currency }: ChargeAmountData, site: Site): string =>
  amount ? `: ${formatMoney(site, amount.total, currency)}` : ''
