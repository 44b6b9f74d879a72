import { type Customer, isClaimed } from '#shared/customers/customer.ts'
import type { planCustomerAddress } from './plan-customer-address.ts'

/*
 * Anyone can register with the address of a person whom the store knows from elsewhere, and wait for an import. The
 * file identifies the account by the address alone. So until the address is confirmed, the account gets no personal
 * data and no discount from the file.
 */

const WITHHELD = ['firstname', 'lastname', 'telephone', 'taxNumber', 'customerGroupId'] as const

/** The fields and the address of a row. */
export interface FromRow {
  fields: Partial<Customer>
  newAddress: ReturnType<typeof planCustomerAddress>
}

/**
 * Returns what a row adds to an account, and whether a part is withheld: somebody can sign in to the account, but its
 * address is not confirmed.
 */
export function withholdFromUnconfirmed(
  account: Customer | null,
  given: FromRow,
): FromRow & { isWithheld: boolean } {
  if (!account || account.verifiedAt || !isClaimed(account)) return { ...given, isWithheld: false }
  const kept = Object.fromEntries(WITHHELD.map((name) => [name, account[name]]))
  const fields = { ...given.fields, ...kept, ...exemptionOf(account, given) }
  const isWithheld = given.newAddress !== null || differs(fields, given.fields)
  return { fields, newAddress: null, isWithheld }
}

// An exemption can end, but not begin.
const exemptionOf = ({ taxExempt }: Customer, { fields }: FromRow) =>
  fields.taxExempt && !taxExempt ? { taxExempt } : {}

/** Whether one of the fields has another value in a customer. */
export const differs = (customer: Partial<Customer>, fields: Partial<Customer>): boolean =>
  Object.entries(fields).some(([name, value]) => customer[name as keyof Customer] !== value)

export const WITHHELD_MESSAGE =
  'The customer has not confirmed this e-mail address, and somebody else may have registered it. Names, telephone, ' +
  'tax number, exemption from tax, group and address of the row are not imported'
