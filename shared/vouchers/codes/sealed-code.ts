import { randomBytes } from 'node:crypto'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { hmac } from '#shared/platform/secrets/crypto.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { now } from '#shared/platform/time/clock.ts'
import { codeEnd, codeKey } from './code.ts'

/*
 * A code is money, so the database has it only encrypted. A voucher is found by a hash of its code with a key of the
 * store (HMAC-SHA-256). ENCRYPTION_KEYS encrypt the store's key, so a new encryption key re-encrypts it and no hash
 * changes. Without the store's key, nobody can try short codes against the hashes of a stolen database.
 */

export const voucherCodes = defineSecrets(
  'codes of gift vouchers',
  { scope: 'store', table: 'vouchers', columns: ['sealed_code'] },
  ({ storeId, id }: { storeId: string; id: string }) => `voucher code ${storeId} ${id}`,
)

export const voucherHashKeys = defineSecrets(
  'keys of voucher codes',
  { scope: 'store', table: 'voucher_code_keys', columns: ['sealed_key'] },
  ({ storeId }: { storeId: string }) => `voucher code key ${storeId}`,
)

/** The columns of a voucher's code. */
export interface SealedCode {
  sealedCode: string
  codeHash: Buffer
  codeEnd: string
}

/** Encrypts and hashes the code of a voucher. */
export async function sealCode(tx: StoreTx, voucherId: string, code: string): Promise<SealedCode> {
  return {
    sealedCode: voucherCodes.of({ storeId: tx.storeId, id: voucherId }).seal(code),
    codeHash: hmac(await obtainKey(tx), codeKey(code)),
    codeEnd: codeKey(codeEnd(code)),
  }
}

/** Returns the hash of a code, in any form, by which its voucher is found. Null if the store never had a voucher. */
export async function hashCode(tx: StoreTx, code: string): Promise<Buffer | null> {
  const key = await findKey(tx)
  return key && hmac(key, codeKey(code))
}

async function findKey({ knex, storeId }: StoreTx): Promise<Buffer | null> {
  const row = await knex('voucher_code_keys').where('store_id', storeId).first('sealed_key')
  return row ? Buffer.from(voucherHashKeys.of({ storeId }).open(row.sealed_key), 'base64url') : null
}

/** Returns the key of the store. The first voucher creates it. */
async function obtainKey(tx: StoreTx): Promise<Buffer> {
  const found = await findKey(tx)
  if (found) return found
  const { knex, storeId } = tx
  const sealed_key = voucherHashKeys.of({ storeId }).seal(randomBytes(32).toString('base64url'))
  await knex('voucher_code_keys')
    .insert({ store_id: storeId, sealed_key, created_at: now() })
    .onConflict('store_id')
    .ignore()
  return obtainKey(tx)
}
