import type { Customer } from '#api/platform/auth/access.ts'
import type { CartHolder } from '#shared/cart/open-cart.ts'

/** Whose cart a request means. */
export const holderOf = ({
  customer,
  cartToken,
}: {
  customer: Customer | null
  cartToken: string | null
}): CartHolder => ({ customerId: customer?.id ?? null, cartToken })
