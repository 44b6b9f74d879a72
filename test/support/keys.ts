import { randomBytes } from 'node:crypto'
import { afterEach } from 'node:test'
import { resetConfig } from '#shared/platform/config/config.ts'

type List = 'ENCRYPTION_KEYS' | 'TOKEN_KEYS'

const before = new Map<List, string | undefined>()

/** A key of that name, in the format of ENCRYPTION_KEYS and TOKEN_KEYS. */
export const buildKey = (kid: string): string => `${kid}:${randomBytes(32).toString('base64url')}`

/** Sets the service's keys, the newest first, until the test ends. */
export function useKeys(list: List, ...keys: string[]): void {
  if (!before.has(list)) before.set(list, process.env[list])
  process.env[list] = keys.join(',')
  resetConfig()
}

afterEach(() => {
  for (const [list, keys] of before) process.env[list] = keys
  before.clear()
  resetConfig()
})
