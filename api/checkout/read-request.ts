import type { Static } from 'typebox'
import { omitUndefined, toCamelCase, toMinorIfPresent } from '#api/platform/input/read-fields.ts'
import type { CheckoutRequest } from '#shared/checkout/checkout-request.ts'
import type { CheckoutBody } from './schemas.ts'

/** A checkout as it was asked for, in the domain's terms. Nothing redirects, so nobody needs the address to return to. */
export const toCheckoutRequest = (
  { expected_total, return_url: _, ...fields }: Static<typeof CheckoutBody>,
  currency: string,
): CheckoutRequest => {
  const expectedTotalMinor = toMinorIfPresent(expected_total, currency, ['expected_total'])
  return { ...toCamelCase(fields), ...omitUndefined({ expectedTotalMinor }) }
}
