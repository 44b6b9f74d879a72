import type { Customer } from '#api/platform/auth/access.ts'
import type { Buyer } from '#shared/orders/find-buyers-order.ts'

/** Who asks for an order. */
export const buyerOf = (customer: Customer | null, { access_token }: { access_token?: string }): Buyer => ({
  customerId: customer?.id ?? null,
  accessToken: access_token ?? null,
})
