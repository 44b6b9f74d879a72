import { clientNetwork } from '#shared/platform/net/client-network.ts'

/*
 * Password hashes are slow, so they take turns: first by group, then by caller. So a flood of sign-ins from one address
 * delays each sign-in from another by only one hash. A flood from many addresses at one store delays those at another
 * store by only one hash, too, and those of known devices at the same store.
 */

/** The caller of a password hash, and the group of callers that it belongs to. */
export interface HashTurn {
  group: string
  caller: string
}

/** Returns the turn of a caller without a session. Without a store, all callers are one group. */
export const turnOfNetwork = (storeId: string | null, ip: string): HashTurn => ({
  group: `store ${storeId ?? 'none'}`,
  caller: clientNetwork(ip),
})

/** Returns the turn of a caller on a known device of an account in the store; null: of a super-admin. */
export const turnOfKnownDevice = (storeId: string | null, ip: string): HashTurn => ({
  group: `known devices of store ${storeId ?? 'none'}`,
  caller: clientNetwork(ip),
})

/** Returns the turn of a signed-in account. */
export const turnOfAccount = (storeId: string | null, accountId: string): HashTurn => ({
  group: `accounts of store ${storeId ?? 'none'}`,
  caller: accountId,
})
