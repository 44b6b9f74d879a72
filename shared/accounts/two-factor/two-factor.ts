import { seal, unseal } from '../../platform/crypto.ts'
import { StoreModel } from '../../platform/model.ts'
import type { StoreTx } from '../../platform/store-scope.ts'
import type { AccountType } from '../access-token.ts'
import { type AccountName, rowsOf } from '../account-name.ts'

/** An account's second factor: a secret shared with an app (TOTP, RFC 6238). It counts once it was switched on. */
export class TwoFactor extends StoreModel {
  static override tableName = 'two_factor'

  declare accountType: AccountType
  declare accountId: string
  declare sealedSecret: string
  /** The time step of the last code that was accepted. */
  declare lastStep: number
  declare createdAt: Date
  declare enabledAt: Date | null
}

/** The account's row, if it has one. */
export const twoFactorOf = (tx: StoreTx, account: AccountName) =>
  TwoFactor.in(tx).where(rowsOf(account)).first()

export const sealSecret = (storeId: string, account: AccountName, secret: string): string =>
  seal(secret, contextOf(storeId, account))

export const openSecret = ({ storeId, accountType, accountId, sealedSecret }: TwoFactor): string =>
  unseal(sealedSecret, contextOf(storeId, { type: accountType, id: accountId }))

const contextOf = (storeId: string, { type, id }: AccountName): string =>
  `two_factor ${storeId} ${type} ${id}`
