import { config } from '#shared/platform/config/config.ts'
import { hmac, memoizeByKeys } from '#shared/platform/secrets/crypto.ts'

const auditKeysOf = memoizeByKeys(
  (keys) => new Map([...keys].map(([kid, key]) => [kid, hmac(key, 'audit chain')])),
)

/** The keys that prove entries, made of those that encrypt: the first is in use, the rest still verify. */
export const auditKeys = (): ReadonlyMap<string, Buffer> => auditKeysOf(config().ENCRYPTION_KEYS)
