import type { MailLanguage } from '#shared/mail/define-mail.ts'

type Cause =
  | 'stock'
  | 'shipping'
  | 'method'
  | 'no_card'
  | 'order'
  | 'funds'
  | 'expired'
  | 'confirmation'
  | 'time'
  | 'declined'

/** The cause of each reason of a failed charge: an error code of checkout, or the gateway's decline code. */
const CAUSES: Readonly<Record<string, Cause>> = {
  'checkout.insufficient_stock': 'stock',
  'checkout.shipping_unavailable': 'shipping',
  'checkout.payment_method_disabled': 'method',
  'subscription.no_card': 'no_card',
  insufficient_funds: 'funds',
  expired_card: 'expired',
  authentication_required: 'confirmation',
  canceled: 'time',
}

const TEXTS: Record<MailLanguage, Record<Cause, string>> = {
  en: {
    stock: 'The goods are out of stock.',
    shipping: 'We can no longer ship to your address in the chosen way.',
    method: 'We no longer offer this way to pay.',
    no_card: 'We have no card of yours.',
    order: 'The order could not be placed.',
    funds: 'The card does not have enough money.',
    expired: 'The card has expired.',
    confirmation: 'Your bank asks you to confirm the payment.',
    time: 'The payment was not made in time.',
    declined: 'Your bank declined the card.',
  },
  de: {
    stock: 'Die Ware ist nicht vorrätig.',
    shipping: 'Wir können auf dem gewählten Weg nicht mehr an Ihre Adresse liefern.',
    method: 'Wir bieten diese Zahlungsart nicht mehr an.',
    no_card: 'Uns liegt keine Karte von Ihnen vor.',
    order: 'Die Bestellung konnte nicht aufgegeben werden.',
    funds: 'Die Karte ist nicht ausreichend gedeckt.',
    expired: 'Die Karte ist abgelaufen.',
    confirmation: 'Ihre Bank verlangt, dass Sie die Zahlung bestätigen.',
    time: 'Die Zahlung ist nicht rechtzeitig erfolgt.',
    declined: 'Ihre Bank hat die Karte abgelehnt.',
  },
}

/**
 * Returns the reason of a failed charge in one sentence. An unknown error code concerns the order, an unknown decline
 * code the card. Events contain only the reason, so the point in an error code distinguishes the two. The built-in page
 * of a subscription uses the same rule.
 */
export const explainFailure = (language: MailLanguage, reason: string): string =>
  TEXTS[language][CAUSES[reason] ?? (reason.includes('.') ? 'order' : 'declined')]

/**
 * Returns the sentences by reason. `order` is the sentence of any other error code, `declined` of any other decline
 * code.
 */
export const failureTexts = (language: MailLanguage): Record<string, string> => ({
  ...Object.fromEntries(Object.keys(CAUSES).map((reason) => [reason, explainFailure(language, reason)])),
  order: TEXTS[language].order,
  declined: TEXTS[language].declined,
})
