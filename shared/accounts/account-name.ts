import type { AccountType } from './access-token.ts'

/** Which account: customers and staff have tables of their own. */
export interface AccountName {
  type: AccountType
  id: string
}

/** The columns by which a row belongs to an account. */
export const rowsOf = ({ type, id }: AccountName) => ({ account_type: type, account_id: id })
