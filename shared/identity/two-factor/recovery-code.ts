import { randomInt } from 'node:crypto'
import { type Account, type IdentityTx, rowsOf, tablesIn } from '#shared/identity/principal.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'

// A recovery code replaces one code of the app. Only its SHA-256 is stored. That is safe: nobody can guess 80 random
// bits.

const COUNT = 10

/** Replaces the account's codes by ten new ones. They are returned only here. */
export async function replaceRecoveryCodes(tx: IdentityTx, account: Account): Promise<string[]> {
  await deleteRecoveryCodes(tx, account)
  const codes = Array.from({ length: COUNT }, makeCode)
  const row = rowsOf(tx, account)
  const rows = codes.map((code) => ({ ...row, code_hash: hashOf(code), created_at: now() }))
  await tx.knex(tablesIn(tx).recoveryCodes).insert(rows)
  return codes
}

export async function deleteRecoveryCodes(tx: IdentityTx, account: Account): Promise<void> {
  await codesOf(tx, account).delete()
}

/** Uses up a code. Returns false if the account does not have this code. */
export async function useRecoveryCode(tx: IdentityTx, account: Account, code: string): Promise<boolean> {
  const used = await codesOf(tx, account)
    .where('code_hash', hashOf(code))
    .whereNull('used_at')
    .update({ used_at: now() })
  return used === 1
}

/** Returns how many codes the account has left. */
export async function countRecoveryCodes(tx: IdentityTx, account: Account): Promise<number> {
  const [row] = await codesOf(tx, account).whereNull('used_at').count({ left: '*' })
  return Number(row?.left)
}

const codesOf = (tx: IdentityTx, account: Account) =>
  tx.knex(tablesIn(tx).recoveryCodes).where(rowsOf(tx, account))

// Crockford's base32: no letter in it looks like a digit.
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const READ_AS: Record<string, string> = { i: '1', l: '1', o: '0' }

const makeCode = (): string => Array.from({ length: 4 }, makeGroup).join('-')
const makeGroup = (): string => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** Hashes a code in any spelling: in capitals, without hyphens, with an o for a 0. */
const hashOf = (code: string): Buffer =>
  sha256(
    code
      .toLowerCase()
      .replace(/[\s-]/g, '')
      .replace(/[ilo]/g, (letter) => READ_AS[letter] ?? letter),
  )
