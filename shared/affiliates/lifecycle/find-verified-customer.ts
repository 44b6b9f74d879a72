import { AffiliateErrors } from '#shared/affiliates/errors.ts'
import { type Customer, findCustomer } from '#shared/customers/customer.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/**
 * Returns a customer who has proven the address. Anyone can register another person's address, and lead that person's
 * commissions to their own bank account. Throws `affiliate.email_unverified`.
 */
export async function findVerifiedCustomer(tx: StoreTx, id: string): Promise<Customer> {
  const customer = await findCustomer(tx, id)
  if (!customer.verifiedAt) throw AffiliateErrors.emailUnverified()
  return customer
}
