import { networkOfAddress } from '#shared/platform/net/network-of-address.ts'

/*
 * Password hashes are slow, so a semaphore takes the next hash from each group in turn, and within a group from each
 * caller in turn. A flood of sign-ins from one address delays each sign-in from another by only one hash. A flood from
 * many addresses at one store delays those at another store by only one hash, too, and those of known devices at the
 * same store.
 */

/** The caller of a password hash, and the group of callers that it belongs to. */
export interface HashCaller {
  group: string
  id: string
}

/** Returns a caller without a session. Without a store, all callers are one group. */
export const callerByNetwork = (storeId: string | null, ip: string): HashCaller => ({
  group: `store ${storeId ?? 'none'}`,
  id: networkOfAddress(ip),
})

/** Returns a caller on a known device of an account in the store. A null `storeId` means a super-admin. */
export const callerByKnownDevice = (storeId: string | null, ip: string): HashCaller => ({
  group: `known devices of store ${storeId ?? 'none'}`,
  id: networkOfAddress(ip),
})

/** Returns a signed-in account as the caller. */
export const callerByAccount = (storeId: string | null, accountId: string): HashCaller => ({
  group: `accounts of store ${storeId ?? 'none'}`,
  id: accountId,
})
