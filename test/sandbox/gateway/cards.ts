/** The behaviour of a card when it is charged and refunded. */
export type Card = {
  brand: string
  last4: string
  declines?: { code: string; decline_code?: string; message: string }
  /** Can be saved like a valid card; declined when a customer is charged. */
  declinesLater?: true
  /** Requires authentication: at every charge, or only until it was saved for off-session charges. */
  asks?: 'always' | 'unless_saved'
  refunds?: 'pending' | 'failed'
}

const DECLINED = 'Your card was declined.'
const visa = (last4: string, rest: Partial<Card> = {}): Card => ({
  brand: 'visa',
  last4,
  ...rest,
})
const declined = (last4: string, decline_code: string, message = DECLINED) =>
  visa(last4, { declines: { code: 'card_declined', decline_code, message } })

/** Stripe's test cards (docs.stripe.com/testing), by the name after `pm_card_`. */
const CARDS: Record<string, Card> = {
  visa: visa('4242'),
  visa_debit: visa('5556'),
  mastercard: { brand: 'mastercard', last4: '4444' },
  amex: { brand: 'amex', last4: '8431' },
  chargeDeclined: declined('0002', 'generic_decline'),
  visa_chargeDeclined: declined('0002', 'generic_decline'),
  chargeDeclinedInsufficientFunds: declined(
    '9995',
    'insufficient_funds',
    'Your card has insufficient funds.',
  ),
  visa_chargeDeclinedInsufficientFunds: declined(
    '9995',
    'insufficient_funds',
    'Your card has insufficient funds.',
  ),
  chargeDeclinedLostCard: declined('9987', 'lost_card'),
  visa_chargeDeclinedLostCard: declined('9987', 'lost_card'),
  chargeDeclinedStolenCard: declined('9979', 'stolen_card'),
  visa_chargeDeclinedStolenCard: declined('9979', 'stolen_card'),
  chargeDeclinedFraudulent: declined('0019', 'fraudulent'),
  chargeDeclinedExpiredCard: visa('0069', {
    declines: { code: 'expired_card', message: 'Your card has expired.' },
  }),
  chargeDeclinedIncorrectCvc: visa('0127', {
    declines: {
      code: 'incorrect_cvc',
      message: "Your card's security code is incorrect.",
    },
  }),
  chargeDeclinedProcessingError: visa('0119', {
    declines: {
      code: 'processing_error',
      message: 'An error occurred while processing your card. Try again.',
    },
  }),
  // Can be saved; a charge of a customer is declined: for renewals that fail.
  chargeCustomerFail: visa('0341', {
    declinesLater: true,
    declines: {
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: DECLINED,
    },
  }),
  authenticationRequired: visa('3184', { asks: 'always' }),
  authenticationRequiredOnSetup: visa('3155', { asks: 'unless_saved' }),
  threeDSecure2Required: visa('3220', { asks: 'always' }),
  threeDSecureRequired: visa('3063', { asks: 'always' }),
  pendingRefund: visa('7726', { refunds: 'pending' }),
  refundFail: visa('5126', { refunds: 'failed' }),
}

/**
 * The card of a payment method: a test name (`pm_card_visa`), or the id generated from it at its first use
 * (`pm_visa_…`), which contains the name, so that no lookup is needed.
 */
export function findCard(paymentMethod: string): Card | undefined {
  const name = isTestName(paymentMethod) ? paymentMethod.slice(8) : nameInId(paymentMethod)
  return name !== undefined && Object.hasOwn(CARDS, name) ? CARDS[name] : undefined
}

const nameInId = (id: string) => /^pm_(\w+)_[0-9A-Za-z]{16}$/.exec(id)?.[1]

export const isTestName = (paymentMethod: string) => paymentMethod.startsWith('pm_card_')

/** A new id for a payment method of a test name. `random` has 16 letters and digits. */
export const methodIdFor = (testName: string, random: string) => `pm_${testName.slice(8)}_${random}`
