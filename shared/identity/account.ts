import type { AccountType } from './sessions/access-token.ts'

/** Which account: customers and staff have tables of their own. */
export interface AccountName {
  type: AccountType
  id: string
}

/** The columns by which a row belongs to an account. */
export const rowsOf = ({ type, id }: AccountName) => ({ account_type: type, account_id: id })

/** The id of no account, and of no store: to look for it takes as long as for another, and finds nothing. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'
