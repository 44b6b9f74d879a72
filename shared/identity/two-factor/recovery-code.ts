import { randomInt } from 'node:crypto'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { FactorOwner } from './factor-owner.ts'

// A code stands in for the app once. Only its SHA-256 is kept: at 80 random bits nobody finds it by trying.

/** Interface document, section 8. */
const COUNT = 10

/** Gives the owner ten new codes, returned here and never again; the old ones are void. */
export async function replaceRecoveryCodes(owner: FactorOwner): Promise<string[]> {
  await deleteRecoveryCodes(owner)
  const codes = Array.from({ length: COUNT }, makeCode)
  const rows = codes.map((code) => ({ ...owner.columns, code_hash: hashOf(code), created_at: now() }))
  await owner.knex(owner.tables.recoveryCodes).insert(rows)
  return codes
}

export async function deleteRecoveryCodes(owner: FactorOwner): Promise<void> {
  await codesOf(owner).delete()
}

/** Uses a code up; false when the owner has none like it left. */
export async function useRecoveryCode(owner: FactorOwner, code: string): Promise<boolean> {
  const used = await codesOf(owner)
    .where('code_hash', hashOf(code))
    .whereNull('used_at')
    .update({ used_at: now() })
  return used === 1
}

/** How many codes the owner has left. */
export async function countRecoveryCodes(owner: FactorOwner): Promise<number> {
  const [row] = await codesOf(owner).whereNull('used_at').count({ left: '*' })
  return Number(row?.left)
}

const codesOf = ({ knex, tables, columns }: FactorOwner) => knex(tables.recoveryCodes).where(columns)

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
