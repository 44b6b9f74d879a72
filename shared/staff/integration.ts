import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { holds, type Right, type RightsHolder } from './rights.ts'

export const INTEGRATION_KINDS = [
  'webhook',
  'identity_provider',
  'publishable_key',
  'domain',
  'external_catalog',
] as const

/** An outside connection of a store that can outlive the access of the staff member who created it. */
export interface Integration {
  kind: (typeof INTEGRATION_KINDS)[number]
  /** Its name, or the host of its URL. */
  name: string
  isActive: boolean
  /** The id of the staff member who created it, or contributed to it. */
  memberId: string
  createdAt: Date
  /** The rights that its creation needs. */
  needs: readonly Right[]
}

/**
 * Finds the integrations that staff members created or contributed to, the active ones first, each once for each of
 * these members. Staff may not import the domains that own them, so the caller of a removal passes this in.
 */
export type FindIntegrations = (tx: StoreTx, memberIds: readonly string[]) => Promise<Integration[]>

/** Returns the integrations whose creation needs rights that a change has taken away from their creator. */
export const withLostRights = (
  integrations: readonly Integration[],
  before: RightsHolder,
  after: RightsHolder,
): Integration[] => integrations.filter(({ needs }) => holds(before, needs) && !holds(after, needs))
