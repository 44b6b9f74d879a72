import { findAffiliateOfCustomer } from '#shared/affiliates/affiliate.ts'
import { deleteAffiliate } from '#shared/affiliates/lifecycle/delete-affiliate.ts'
import { deactivateCustomer } from '#shared/customers/account/deactivate-customer.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { lockCustomerWithoutOpenBusiness } from './assert-no-open-business.ts'
import type { Visibility } from './find-open-business.ts'

/**
 * Deactivates a customer, deletes the affiliate account and keeps the orders. Throws `resource.not_found` and
 * `customer.has_open_business`, which names what is in `visibility`.
 */
export async function closeAccount(tx: StoreTx, customerId: string, visibility: Visibility): Promise<void> {
  const customer = await lockCustomerWithoutOpenBusiness(tx, customerId, visibility)
  const affiliate = await findAffiliateOfCustomer(tx, customerId)
  if (affiliate) await deleteAffiliate(tx, affiliate.id)
  await deactivateCustomer(tx, customer)
}
