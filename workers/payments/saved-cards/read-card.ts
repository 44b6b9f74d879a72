import type { SavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

/** Returns a saved card with the details that a buyer may see. */
export const readCard = async (reference: string): Promise<SavedCard> => ({
  reference,
  ...(await stripeGateway().readCard(reference)),
})
