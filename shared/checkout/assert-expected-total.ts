import type { OrderDetails } from '#shared/orders/place/place-order.ts'
import { toMajor } from '#shared/platform/money.ts'
import { CheckoutErrors } from './errors.ts'

/** Throws `checkout.price_changed` if the total is not the one that the buyer expects. */
export function assertExpectedTotal(
  { totalMinor, currency }: Pick<OrderDetails, 'totalMinor' | 'currency'>,
  expectedMinor?: bigint,
): void {
  if (expectedMinor === undefined || expectedMinor === totalMinor) return
  throw CheckoutErrors.priceChanged({ total: toMajor(totalMinor, currency), currency })
}
