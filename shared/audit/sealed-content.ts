import { randomBytes } from 'node:crypto'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { sealWithKey, unsealWithKey } from '#shared/platform/secrets/seal.ts'
import { defineSecrets } from '#shared/platform/secrets/secrets.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { AuditEntry, AuditedChange } from './entry.ts'

/*
 * An entry stays in its chain for ever, but personal data may have to be erased. Entries of these resources are
 * encrypted with a key of the resource, and the hash of an entry covers the encrypted form. Deleting the key erases the
 * content and keeps the chain intact.
 */
const PERSONAL: ReadonlySet<string> = new Set([
  'affiliates',
  'customers',
  'orders',
  'questions',
  'returns',
  'subscriptions',
  'vouchers',
])

/**
 * The fields without personal data of resources that are money. They are not encrypted, so an erasure keeps the history
 * of the value. Otherwise staff could enter their own address in a voucher, and erase the history with their account.
 */
const VALUE_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  vouchers: new Set([
    'id',
    'order_id',
    'code',
    'amount',
    'amount_remaining',
    'currency',
    'is_active',
    'is_disputed',
    'expires_at',
    'created_at',
    'updated_at',
    'voucher_theme_id',
  ]),
}

/** A resource whose entries are encrypted. */
export interface PersonalResource {
  type: string
  id: string
}

interface KeyRow {
  storeId: string
  resourceType: string
  resourceId: string
}

interface Key {
  id: string
  key: Buffer
}

export const auditKeySecrets = defineSecrets(
  'keys of audit entries',
  { scope: 'store', table: 'audit_keys', columns: ['sealed_key'] },
  ({ storeId, resourceType, resourceId }: KeyRow) => `audit key ${storeId} ${resourceType} ${resourceId}`,
)

type Content = Pick<AuditedChange, 'resourceType' | 'resourceId' | 'before' | 'after'>

/** Returns the stored content of an entry. Personal data is encrypted; the fields of a value are not. */
export async function sealContent(
  tx: StoreTx,
  { resourceType, resourceId, before, after }: Content,
): Promise<Pick<AuditEntry, 'before' | 'after' | 'sealed'>> {
  const isEmpty = before === null && after === null
  if (isEmpty || !resourceId || !PERSONAL.has(resourceType)) return { before, after, sealed: null }
  const row = { storeId: tx.storeId, resourceType, resourceId }
  const { id, key } = await obtainKey(tx, row)
  const earlier = splitFields(before, resourceType)
  const later = splitFields(after, resourceType)
  const personal = JSON.stringify({ before: earlier.personal, after: later.personal })
  const sealed = sealWithKey(key, personal, contextOf(row))
  return { before: earlier.value, after: later.value, sealed: `${id}.${sealed}` }
}

/** Divides a side of a change into the fields of a value, null if it has none, and the personal rest. */
function splitFields(side: unknown, resourceType: string): { value: unknown; personal: unknown } {
  const fields = VALUE_FIELDS[resourceType]
  if (!fields || !isRecord(side)) return { value: null, personal: side }
  const { value = [], personal = [] } = Object.groupBy(Object.entries(side), ([name]) =>
    fields.has(name) ? 'value' : 'personal',
  )
  return { value: value.length ? Object.fromEntries(value) : null, personal: Object.fromEntries(personal) }
}

const joinFields = (value: unknown, personal: unknown): unknown =>
  isRecord(value) && isRecord(personal) ? { ...value, ...personal } : personal

const isRecord = (side: unknown): side is Record<string, unknown> =>
  side !== null && typeof side === 'object' && !Array.isArray(side)

/** An entry with its content decrypted. */
export type OpenedEntry = AuditEntry & { isErased: boolean }

/** Decrypts the entries of one store. Entries without a key count as erased, and have only the fields of a value. */
export async function openEntries(tx: StoreTx, entries: AuditEntry[]): Promise<OpenedEntry[]> {
  const sealed = entries.filter((entry) => entry.sealed !== null)
  const keys = sealed.length ? await findKeys(tx, sealed) : new Map<string, Key>()
  return entries.map((entry) => {
    if (entry.sealed === null) return { ...entry, isErased: false }
    const row = { ...entry, storeId: tx.storeId, resourceId: entry.resourceId ?? '' }
    const found = keys.get(contextOf(row))
    // A resource whose key was destroyed gets another key with its next entry.
    if (!found || !entry.sealed.startsWith(`${found.id}.`)) return { ...entry, isErased: true }
    const sealedContent = entry.sealed.slice(found.id.length + 1)
    const personal = JSON.parse(unsealWithKey(found.key, sealedContent, contextOf(row)))
    const before = joinFields(entry.before, personal.before)
    return { ...entry, before, after: joinFields(entry.after, personal.after), isErased: false }
  })
}

/** Deletes the keys of resources, so that nobody can ever read their entries again. */
export async function destroyKeys(tx: StoreTx, resources: readonly PersonalResource[]): Promise<void> {
  for (const [resource_type, ofType] of Map.groupBy(resources, ({ type }) => type))
    await tx
      .knex('audit_keys')
      .where({ store_id: tx.storeId, resource_type })
      .whereRaw('resource_id = any(?)', [ofType.map(({ id }) => id)])
      .delete()
}

const contextOf = ({ storeId, resourceType, resourceId }: KeyRow): string =>
  `audit ${storeId} ${resourceType} ${resourceId}`

/** Returns the key of a resource. Its first entry creates the key. */
async function obtainKey(tx: StoreTx, row: KeyRow): Promise<Key> {
  const { storeId: store_id, resourceType: resource_type, resourceId: resource_id } = row
  const found = await tx
    .knex('audit_keys')
    .where({ store_id, resource_type, resource_id })
    .forKeyShare()
    .first('id', 'sealed_key')
  if (found) return openKey(row, found)
  const sealed_key = auditKeySecrets.of(row).seal(randomBytes(32).toString('base64url'))
  await tx
    .knex('audit_keys')
    .insert({ store_id, resource_type, resource_id, id: newId(), sealed_key, created_at: now() })
    .onConflict()
    .ignore()
  return obtainKey(tx, row)
}

const openKey = (row: KeyRow, { id, sealed_key }: { id: string; sealed_key: string }): Key => ({
  id,
  key: Buffer.from(auditKeySecrets.of(row).open(sealed_key), 'base64url'),
})

async function findKeys(tx: StoreTx, entries: AuditEntry[]): Promise<Map<string, Key>> {
  const rows = await tx
    .knex('audit_keys')
    .where('store_id', tx.storeId)
    .whereIn(
      ['resource_type', 'resource_id'],
      entries.map(({ resourceType, resourceId }) => [resourceType, resourceId ?? '']),
    )
    .select('resource_type', 'resource_id', 'id', 'sealed_key')
  return new Map(
    rows.map(({ resource_type: resourceType, resource_id: resourceId, ...found }) => {
      const row = { storeId: tx.storeId, resourceType, resourceId }
      return [contextOf(row), openKey(row, found)]
    }),
  )
}
