import { Type } from 'typebox'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatMoney, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'

const GiftVoucher = Shape({
  code: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  from_name: Type.String(),
  to_name: Type.String(),
  message: Type.String(),
  image: Nullable(Type.String()),
  expires_at: Nullable(Type.String()),
})

/** Sends a gift voucher to its recipient. */
export const voucherMail = defineMail('gift-voucher', GiftVoucher, {
  en: (voucher, site) => ({
    subject: `${voucher.from_name} sends you a gift voucher for ${site.name}`,
    blocks: [
      ...picture(voucher.image, 'Gift voucher'),
      `Dear ${voucher.to_name},`,
      `${voucher.from_name} sends you a gift voucher for ${site.name}, worth ` +
        `${formatMoney(site, voucher.amount, voucher.currency)}.`,
      ...message('en', voucher.message),
      { facts: [['Code', voucher.code], ...expiryFact('Good until', voucher.expires_at, site)] },
      { label: 'Go to the shop', url: site.url },
      'Enter the code at checkout. What is left of it stays yours. Whoever has the code can spend it.',
    ],
  }),
  de: (voucher, site) => ({
    subject: `${voucher.from_name} schenkt Ihnen einen Gutschein für ${site.name}`,
    blocks: [
      ...picture(voucher.image, 'Geschenkgutschein'),
      `Guten Tag ${voucher.to_name},`,
      `${voucher.from_name} schenkt Ihnen einen Gutschein für ${site.name} im Wert von ` +
        `${formatMoney(site, voucher.amount, voucher.currency)}.`,
      ...message('de', voucher.message),
      { facts: [['Code', voucher.code], ...expiryFact('Gültig bis', voucher.expires_at, site)] },
      { label: 'Zum Shop', url: site.url },
      'Geben Sie den Code an der Kasse ein. Was übrig bleibt, behalten Sie. Wer den Code hat, kann ihn einlösen.',
    ],
  }),
})

const picture = (image: string | null, alt: string): Block[] => (image ? [{ image, alt }] : [])

const QUOTES = { en: ['“', '”'], de: ['„', '“'] } as const

const message = (language: MailLanguage, text: string): Block[] => {
  const [open, close] = QUOTES[language]
  return text ? [`${open}${text}${close}`] : []
}

const expiryFact = (name: string, time: string | null, { language, timeZone }: Site): [string, string][] => {
  if (!time) return []
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(time))
  return [[name, day]]
}
