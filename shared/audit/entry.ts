import { isUuid } from '#shared/platform/db/id.ts'

export const ACTOR_TYPES = ['staff', 'api_token', 'super_admin'] as const
export type ActorType = (typeof ACTOR_TYPES)[number]

/** Whoever made a change, and by which session or API token. */
export interface Actor {
  type: ActorType
  id: string
  email: string | null
  sessionId: string | null
}

/** A change, as those who make it tell it: `before` and `after` as an admin reads the resource. */
export interface Change {
  actor: Actor
  ip: string
  requestId: string
  /** The operation's id in the API's description, or the name of a command at the server. */
  action: string
  resourceType: string
  resourceId: string | null
  before: unknown
  after: unknown
}

/** A link of a chain, as it is kept. */
export interface AuditEntry {
  /** Null in the platform's chain where the change touched no store. */
  storeId: string | null
  /** Without gaps, from 1. */
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
  previousHash: Buffer
  hash: Buffer
  /** Which of ENCRYPTION_KEYS the proof was made with. */
  keyId: string
  proof: Buffer
}

/** A resource's id as entries hold it: one address of a resource may spell it in capitals, and is no other resource. */
export const toResourceId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id)
