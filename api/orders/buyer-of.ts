import type { CustomerCaller } from '#api/platform/auth/callers.ts'
import type { Buyer } from '#shared/orders/buyers/buyer.ts'

/** Returns the buyer that a request is from: a signed-in customer, or a guest with the token of one order. */
export const buyerOf = (
  customer: CustomerCaller | null,
  { access_token }: { access_token?: string },
): Buyer => ({
  customerId: customer?.id ?? null,
  accessToken: access_token ?? null,
})
