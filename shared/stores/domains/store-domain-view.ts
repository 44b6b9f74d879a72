import { type Static, Type } from 'typebox'
import { toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { CreatedBy, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { DOMAIN_FAILURES, DOMAIN_STATUSES, type StoreDomain } from './store-domain.ts'

export const StoreDomainView = Shape({
  id: Uuid,
  domain: Type.String({ description: 'In ASCII (punycode), as in DNS' }),
  status: Type.Enum([...DOMAIN_STATUSES]),
  failure: Nullable(
    Type.Enum([...DOMAIN_FAILURES], {
      description: 'Why the last verification failed; `taken`: another store has verified the domain',
    }),
  ),
  verification: Shape({
    type: Type.Literal('TXT'),
    name: Type.String(),
    value: Type.String(),
  }),
  checked_at: Nullable(Timestamp),
  verified_at: Nullable(Timestamp),
  created_by: CreatedBy,
  created_at: Timestamp,
})

/** Returns a claimed or verified domain as staff see it, with the DNS record that proves its ownership. */
export const viewStoreDomain = (domain: StoreDomain): Static<typeof StoreDomainView> => ({
  id: domain.id,
  domain: domain.domain,
  status: domain.status,
  failure: domain.failure,
  verification: { type: 'TXT', ...domain.record },
  checked_at: toTimestampOrNull(domain.checkedAt),
  verified_at: toTimestampOrNull(domain.verifiedAt),
  created_by: domain.createdBy,
  created_at: toTimestamp(domain.createdAt),
})
