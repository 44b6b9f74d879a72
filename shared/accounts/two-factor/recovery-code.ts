import { randomInt } from 'node:crypto'
import { now } from '../../platform/clock.ts'
import { sha256 } from '../../platform/crypto.ts'
import { StoreModel } from '../../platform/model.ts'
import type { StoreTx } from '../../platform/store-scope.ts'
import type { AccountType } from '../access-token.ts'
import { type AccountName, rowsOf } from '../account-name.ts'

/** A code that stands in for the app once. Only its SHA-256 is kept: at 80 random bits nobody finds it by trying. */
export class RecoveryCode extends StoreModel {
  static override tableName = 'recovery_codes'

  declare accountType: AccountType
  declare accountId: string
  declare codeHash: Buffer
  declare createdAt: Date
  declare usedAt: Date | null
}

/** Interface document, section 8. */
const COUNT = 10

/** Gives the account ten new codes, returned here and never again; the old ones are void. */
export async function replaceRecoveryCodes(tx: StoreTx, account: AccountName): Promise<string[]> {
  await deleteRecoveryCodes(tx, account)
  const codes = Array.from({ length: COUNT }, makeCode)
  for (const code of codes)
    await RecoveryCode.in(tx).insert({
      accountType: account.type,
      accountId: account.id,
      codeHash: hashOf(code),
      createdAt: now(),
    })
  return codes
}

export async function deleteRecoveryCodes(tx: StoreTx, account: AccountName): Promise<void> {
  await RecoveryCode.in(tx).where(rowsOf(account)).delete()
}

/** Uses a code up; false when the account has none like it left. */
export async function useRecoveryCode(tx: StoreTx, account: AccountName, code: string): Promise<boolean> {
  const used = await RecoveryCode.in(tx)
    .where(rowsOf(account))
    .where('code_hash', hashOf(code))
    .whereNull('used_at')
    .patch({ usedAt: now() })
  return used === 1
}

/** How many codes the account has left. */
export const countRecoveryCodes = (tx: StoreTx, account: AccountName): Promise<number> =>
  RecoveryCode.in(tx).where(rowsOf(account)).whereNull('used_at').resultSize()

// Crockford's base32: no letter in it is taken for a figure.
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const READ_AS: Record<string, string> = { i: '1', l: '1', o: '0' }

const makeCode = (): string => Array.from({ length: 4 }, makeGroup).join('-')
const makeGroup = (): string => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** Codes count however they are typed: in capitals, without hyphens, with an o for a 0. */
const hashOf = (code: string): Buffer =>
  sha256(
    code
      .toLowerCase()
      .replace(/[\s-]/g, '')
      .replace(/[ilo]/g, (letter) => READ_AS[letter] ?? letter),
  )
