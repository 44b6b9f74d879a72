import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '#api/platform/pipeline/operation.ts'
import type { FurnishedStore } from './furnish-store.ts'

/** What those hold who signed in. */
export type Tokens = Record<'customer' | 'owner' | 'program' | 'root', string>
/** Who sends a request: with nothing, by the key or the cart of the store alone, or signed in. */
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

/** Mostly one who may call the operation, now and then anybody. */
export const callerOf = ({ access }: Operation): Arbitrary<Caller> =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...CALLERS[access.kind]) },
    { weight: 1, arbitrary: fc.constantFrom(...ANYBODY) },
  )

/** By what a caller is known, with the tokens that are good now. */
export function credentialsOf(caller: Caller, own: FurnishedStore, tokens: Tokens): Record<string, string> {
  const key = { 'X-Service-Key': own.store.key }
  if (caller === 'nobody') return {}
  if (caller === 'key') return key
  if (caller === 'guest') return { ...key, 'X-Cart-Token': own.cart.token }
  const Authorization = `Bearer ${tokens[caller]}`
  return caller === 'customer' ? { ...key, Authorization } : { Authorization }
}
