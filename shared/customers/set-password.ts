import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { Customer } from './customer.ts'

/** Gives a customer another password. Sessions and notices are the caller's to see to. */
export async function setCustomerPassword(tx: StoreTx, id: string, passwordHash: string): Promise<void> {
  await Customer.in(tx).where({ id }).patch({ passwordHash })
}
