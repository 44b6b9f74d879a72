import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Affiliate } from './affiliate.ts'

/** Returns all affiliate accounts of a customer, including deleted ones, oldest first. */
export const findAffiliatesOfPerson = (tx: StoreTx, customerId: string): PromiseLike<Affiliate[]> =>
  Affiliate.in(tx).where('customer_id', customerId).orderBy('id')
