import type { Static } from 'typebox'
import { omitUndefined, toCamelCase, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout-request.ts'
import type { PlaceOrderRequest } from './schemas.ts'

/** Converts a request body to the domain's input. `return_url` is unused: no payment method redirects. */
export const toCheckoutRequest = (
  { expected_total, return_url: _, ...fields }: Static<typeof PlaceOrderRequest>,
  currency: string,
): CheckoutRequest => {
  const expectedTotalMinor = toMinorIfPresent(expected_total, currency, ['expected_total'])
  return { ...toCamelCase(fields), ...omitUndefined({ expectedTotalMinor }) }
}
