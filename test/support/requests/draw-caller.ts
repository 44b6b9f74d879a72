import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { FullStore } from '#test/support/builders/full-store.ts'

/** The tokens of signed-in callers. */
export type Tokens = Record<'customer' | 'owner' | 'program' | 'root', string>
/** The caller of a request: without credentials, with the store's key or a cart token only, or signed in. */
export type Caller = 'nobody' | 'key' | 'guest' | keyof Tokens

const CALLERS: Record<Operation['access']['kind'], Caller[]> = {
  open: ['key', 'nobody'],
  storefront: ['key'],
  guest: ['guest', 'customer'],
  customer: ['customer'],
  account: ['customer', 'owner'],
  staff: ['owner', 'owner', 'program'],
  super_admin: ['root'],
}
const ANYBODY: Caller[] = ['nobody', 'key', 'guest', 'customer', 'owner', 'program', 'root']

/** Mostly a caller with access to the operation, sometimes any caller. */
export const callerOf = ({ access }: Operation): Arbitrary<Caller> =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...CALLERS[access.kind]) },
    { weight: 1, arbitrary: fc.constantFrom(...ANYBODY) },
  )

/** A caller's credentials, with tokens that are valid now. */
export function credentialsOf(caller: Caller, own: FullStore, tokens: Tokens): Record<string, string> {
  const key = { 'X-Service-Key': own.store.key }
  if (caller === 'nobody') return {}
  if (caller === 'key') return key
  if (caller === 'guest') return { ...key, 'X-Cart-Token': own.cart.token }
  const Authorization = `Bearer ${tokens[caller]}`
  return caller === 'customer' ? { ...key, Authorization } : { Authorization }
}
