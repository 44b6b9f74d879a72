/** The gateway of card payments, as rows and jobs name it. */
export const CARD_PROVIDER = 'stripe'
