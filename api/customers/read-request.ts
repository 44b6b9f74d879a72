import type { Static } from 'typebox'
import { omitUndefined, toMinorIfPresent } from '#api/platform/input/request-fields.ts'
import type { Defaults } from '#shared/customers/customer-address.ts'
import type { CustomerFilter } from '#shared/customers/list-customers.ts'
import type { CustomerListQuery } from './admin-schemas.ts'

/** Converts the query of the list of customers to the domain's filter. */
export const toCustomerFilter = (
  { total_spent_from, total_spent_to, ...filter }: Static<typeof CustomerListQuery>,
  currency: string,
): CustomerFilter => ({
  ...filter,
  ...omitUndefined({
    total_spent_from: toMinorIfPresent(total_spent_from, currency, ['total_spent_from']),
    total_spent_to: toMinorIfPresent(total_spent_to, currency, ['total_spent_to']),
  }),
})

interface DefaultFlags {
  is_default_shipping?: boolean
  is_default_billing?: boolean
}

/** Separates the fields of an address from its default flags. */
export function splitDefaults<A extends DefaultFlags>({
  is_default_shipping,
  is_default_billing,
  ...fields
}: A) {
  const defaults: Defaults = {
    ...(is_default_shipping === undefined ? {} : { isDefaultShipping: is_default_shipping }),
    ...(is_default_billing === undefined ? {} : { isDefaultBilling: is_default_billing }),
  }
  return { fields, defaults }
}
