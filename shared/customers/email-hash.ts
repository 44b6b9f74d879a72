import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import { sha256 } from '#shared/platform/secrets/crypto.ts'
import { foldCase } from '#shared/platform/text.ts'

/** Returns the hash that identifies an e-mail address in records that must not contain the address. */
export const emailHash = (email: string): Buffer => sha256(foldCase(email))

/** SQL: the same hash of the address of a customer; null for a guest. `customerId` is an expression of type uuid. */
export const emailHashSql = (customerId: string): string => `
  (select sha256(convert_to(email_normalized, 'UTF8')) from customers
   where store_id = ${CURRENT_STORE} and id = ${customerId})`
