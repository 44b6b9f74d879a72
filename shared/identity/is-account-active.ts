import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import type { AccountType } from './sessions/access-token.ts'

const TABLES = { customer: 'customers', staff: 'staff_members' }

/** Whether the account exists and was not switched off. */
export async function isAccountActive(tx: StoreTx, type: AccountType, id: string): Promise<boolean> {
  const account = await tx.knex(TABLES[type]).where({ store_id: tx.storeId, id }).first('is_active')
  return account?.is_active === true
}
