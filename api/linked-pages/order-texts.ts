import type { Language } from './texts.ts'

const EN = {
  title: 'Your order',
  lead: 'Sign in to see your order, and to pay it if it is not paid.',
  discount: 'Discount',
  shipping: 'Shipping',
  rounding: 'Rounding',
  including: 'incl.',
  total: 'Total',
  voucher: 'Paid by gift voucher',
  refundedAmount: 'Refunded',
  shop: 'To the shop',
  unpaid: 'This order is not paid yet. Open the shop to pay it.',
  transfer: 'This order is not paid yet. Our mail says how to transfer the amount.',
  confirmed: 'Thank you: your card is saved, and your order is confirmed.',
  moneyReturned: 'We had to cancel this order. What you have paid is returned to you.',
  pending: 'received',
  processing: 'being prepared',
  failed: 'payment failed',
  shipped: 'shipped',
  complete: 'complete',
  canceled: 'canceled',
  refunded: 'refunded',
}

const DE: typeof EN = {
  title: 'Ihre Bestellung',
  lead: 'Melden Sie sich an, um Ihre Bestellung zu sehen und, falls sie offen ist, zu bezahlen.',
  discount: 'Rabatt',
  shipping: 'Versand',
  rounding: 'Rundung',
  including: 'inkl.',
  total: 'Gesamtbetrag',
  voucher: 'Mit Geschenkgutschein bezahlt',
  refundedAmount: 'Erstattet',
  shop: 'Zum Shop',
  unpaid: 'Diese Bestellung ist noch nicht bezahlt. Bezahlen Sie sie im Shop.',
  transfer: 'Diese Bestellung ist noch nicht bezahlt. Wie Sie überweisen, steht in unserer E-Mail.',
  confirmed: 'Vielen Dank: Ihre Karte ist gespeichert, und Ihre Bestellung ist bestätigt.',
  moneyReturned: 'Wir mussten diese Bestellung stornieren. Was Sie bezahlt haben, erhalten Sie zurück.',
  pending: 'eingegangen',
  processing: 'in Bearbeitung',
  failed: 'Zahlung fehlgeschlagen',
  shipped: 'versandt',
  complete: 'abgeschlossen',
  canceled: 'storniert',
  refunded: 'erstattet',
}

/** The texts of the order page. */
export const ORDER_TEXTS: Record<Language, typeof EN> = { en: EN, de: DE }
