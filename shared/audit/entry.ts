import { isUuid } from '#shared/platform/db/id.ts'
import { toColumnNames, toPropertyNames } from '#shared/platform/db/model.ts'

export const ACTOR_TYPES = ['staff', 'api_token', 'super_admin'] as const
export type ActorType = (typeof ACTOR_TYPES)[number]

/** The author of a change, with the session. */
export interface AuditActor {
  type: ActorType
  id: string
  email: string | null
  sessionId: string | null
}

/** A change to record. `before` and `after` are the resource as the admin API shows it. */
export interface AuditedChange {
  actor: AuditActor
  ip: string
  requestId: string
  /** The operation's id in the API description, or the name of a command. */
  action: string
  resourceType: string
  resourceId: string | null
  before: unknown
  after: unknown
}

/** A stored entry of a chain. */
export interface AuditEntry {
  /** Null in the platform's chain if the change concerns no store. */
  storeId: string | null
  /** The position in the chain, from 1 without gaps. */
  sequence: bigint
  createdAt: Date
  actorType: ActorType
  actorId: string
  actorEmail: string | null
  sessionId: string | null
  ip: string
  requestId: string
  action: string
  resourceType: string
  resourceId: string | null
  before: unknown
  after: unknown
  /** The encrypted personal data of `before` and `after`. These have only the rest, or are null. */
  sealed: string | null
  previousHash: Buffer
  hash: Buffer
  /** The key in ENCRYPTION_KEYS that made the proof. */
  keyId: string
  proof: Buffer
}

/** Returns a resource's id as entries store it: UUIDs in lower case, because URLs may have them in upper case. */
export const toResourceId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id)

/** Maps an entry to its columns. */
export const toColumns = (entry: AuditEntry): Record<string, unknown> => ({
  ...toColumnNames({ ...entry }),
  before: JSON.stringify(entry.before),
  after: JSON.stringify(entry.after),
})

/** Maps columns to an entry. */
export const toEntry = (columns: Record<string, unknown>): AuditEntry =>
  toPropertyNames(columns) as unknown as AuditEntry
