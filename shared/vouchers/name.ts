import { type MailLanguage, mailLanguage } from '#shared/mail/define-mail.ts'

const NAMES: Record<MailLanguage, string> = { en: 'Gift voucher', de: 'Geschenkgutschein' }

/** What a gift voucher is called on a cart's or an order's line. */
export const voucherName = (language: string): string => NAMES[mailLanguage(language)]

/** In the place of a SKU on such a line. */
export const VOUCHER_SKU = 'gift-voucher'
