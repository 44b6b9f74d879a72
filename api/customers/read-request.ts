import type { Defaults } from '#shared/customers/addresses/customer-address.ts'

interface Asked {
  is_default_shipping?: boolean
  is_default_billing?: boolean
}

/** Takes apart what an address says and what it is to be the default for. */
export function apart<A extends Asked>({ is_default_shipping, is_default_billing, ...fields }: A) {
  const defaults: Defaults = {
    ...(is_default_shipping === undefined ? {} : { isDefaultShipping: is_default_shipping }),
    ...(is_default_billing === undefined ? {} : { isDefaultBilling: is_default_billing }),
  }
  return { fields, defaults }
}
