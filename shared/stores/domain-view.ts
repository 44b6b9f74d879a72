import { type Static, Type } from 'typebox'
import {
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import type { StoreDomain } from './store-domain.ts'

export const StoreDomainView = Shape({
  id: Uuid,
  domain: Type.String({ description: 'In ASCII, as DNS has it' }),
  status: Type.Enum(['pending', 'checking', 'failed', 'verified']),
  failure: Nullable(
    Type.Enum(['record_missing', 'record_wrong', 'dns_unavailable', 'taken'], {
      description:
        'What the last check found wrong; `taken`: another store has proved the domain to be its own',
    }),
  ),
  verification: Shape({
    type: Type.Literal('TXT'),
    name: Type.String(),
    value: Type.String(),
  }),
  checked_at: Nullable(Timestamp),
  verified_at: Nullable(Timestamp),
  created_at: Timestamp,
})

/** A claimed or verified domain as staff see it, with the DNS record that proves it. */
export const viewDomain = (claim: StoreDomain): Static<typeof StoreDomainView> => ({
  id: claim.id,
  domain: claim.domain,
  status: claim.status,
  failure: claim.failure,
  verification: { type: 'TXT', ...claim.record },
  checked_at: toTimestampOrNull(claim.checkedAt),
  verified_at: toTimestampOrNull(claim.verifiedAt),
  created_at: toTimestamp(claim.createdAt),
})
