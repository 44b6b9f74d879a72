import { config } from '../platform/config.ts'
import { hmac, madeOfKeys } from '../platform/crypto.ts'

const auditKeysOf = madeOfKeys(
  (keys) => new Map([...keys].map(([kid, key]) => [kid, hmac(key, 'audit chain')])),
)

/** The keys that prove entries, made of those that encrypt: the first is in use, the rest still verify. */
export const auditKeys = (): ReadonlyMap<string, Buffer> => auditKeysOf(config().ENCRYPTION_KEYS)
