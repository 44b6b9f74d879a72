import type { OrderDetails } from '#shared/orders/place/place-order.ts'
import { cardChargeMinor, maxChargeMinor, minChargeMinor } from '#shared/payment-methods/card-rules.ts'
import { toMajor } from '#shared/platform/money.ts'
import { CheckoutErrors } from './errors.ts'

type Payable = Pick<OrderDetails, 'totalMinor' | 'voucherMinor' | 'paymentMethod' | 'currency'>

/**
 * Rounds the part of an order that a card pays to the gateway's smallest step, and the total with it. Other payment
 * methods keep the exact total. Throws `checkout.payment_method_disabled` if the amount is below the smallest or above
 * the largest charge by card.
 */
export function roundTotal<D extends Payable>(details: D): D & { roundingMinor: bigint } {
  const { paymentMethod, totalMinor, voucherMinor, currency } = details
  if (paymentMethod !== 'card') return { ...details, roundingMinor: 0n }
  const dueMinor = totalMinor - voucherMinor
  const chargeMinor = cardChargeMinor(dueMinor, currency)
  if (chargeMinor === null) throw outsideLimits(dueMinor, currency)
  const roundingMinor = chargeMinor - dueMinor
  return { ...details, roundingMinor, totalMinor: totalMinor + roundingMinor }
}

const outsideLimits = (dueMinor: bigint, currency: string) =>
  CheckoutErrors.paymentMethodDisabled({
    method: 'card',
    due: toMajor(dueMinor, currency),
    minimum: toMajor(minChargeMinor(currency), currency),
    maximum: toMajor(maxChargeMinor(currency), currency),
    currency,
  })
