import { type Static, Type } from 'typebox'
import { invalid } from '#shared/platform/validation.ts'
import { Nullable } from './schema.ts'

// The limits are those of Stripe's metadata.
const MAX_KEYS = 50
const MAX_VALUE_LENGTH = 500
const KEY = '^\\S(.{0,38}\\S)?$'

/** Texts by key that a store's own systems attach to a resource. The service stores them and does not read them. */
export const Metadata = Type.Record(Type.String(), Type.String(), {
  description: 'Texts by key for the systems of the store; the service does not read them',
})
export type Metadata = Static<typeof Metadata>

/** A change of metadata. `mergeMetadata` applies it. */
export const MetadataChange = Nullable(
  Type.Record(Type.String({ pattern: KEY }), Nullable(Type.String({ maxLength: MAX_VALUE_LENGTH })), {
    additionalProperties: false,
    maxProperties: MAX_KEYS,
    description:
      'Merged into the stored keys: null or `""` removes a key, absent keys stay, and null in place of the object ' +
      `removes all. At most ${MAX_KEYS} keys of up to 40 characters, with values of up to ${MAX_VALUE_LENGTH}`,
  }),
)
export type MetadataChange = Static<typeof MetadataChange>

/**
 * Applies a change to metadata. A key with null or `""` is removed, absent keys stay, and null removes all keys.
 * Undefined changes nothing. Throws 422 at `metadata` for more than 50 keys.
 */
export function mergeMetadata(before: Metadata, change: MetadataChange | undefined): Metadata {
  if (change === undefined) return before
  const entries = change === null ? [] : Object.entries({ ...before, ...change }).filter(isSet)
  if (entries.length > MAX_KEYS)
    throw invalid(
      ['metadata'],
      `Metadata has at most ${MAX_KEYS} keys; with this change it would have ${entries.length}`,
    )
  return Object.fromEntries(entries)
}

const isSet = (entry: [string, string | null]): entry is [string, string] => Boolean(entry[1])

/**
 * Merges the metadata of two resources. A key of both gets the newer value. Past 50 keys, keys of the older resource
 * are dropped.
 */
export function combineMetadata(older: Metadata, newer: Metadata): Metadata {
  const others = Object.entries(older).filter(([key]) => !Object.hasOwn(newer, key))
  return Object.fromEntries([...Object.entries(newer), ...others].slice(0, MAX_KEYS))
}
