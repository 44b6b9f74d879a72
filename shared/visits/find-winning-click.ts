import { isActiveSql } from '#shared/customers/customer.ts'
import { emailHash, emailHashSql } from '#shared/customers/email-hash.ts'
import { CURRENT_STORE, type Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { foldCase } from '#shared/platform/text.ts'
import { now } from '#shared/platform/time/clock.ts'
import { WINDOW_DAYS } from './attribution-window.ts'
import { UNKNOWN_SOURCE } from './record-visit.ts'
import type { TrackingKind } from './tracking-code.ts'
import { hashVisitorId } from './visitor.ts'

const WINDOW = `interval '${WINDOW_DAYS} days'`

// A campaign wins even if it has ended since the click. A deleted campaign does not win, nor an affiliate whose
// customer account is deactivated.
const FIND_WINNING_CLICK: Statement = {
  name: 'find_winning_click',
  text: `
  with clicks as materialized (
    select source_id as id, max(clicked_at) as at from campaign_visits
    where store_id = ${CURRENT_STORE} and visitor = $1::bytea and source_id <> '${UNKNOWN_SOURCE}'
    group by 1),
  candidates as (
    select id, at from clicks where at between $3::timestamptz - ${WINDOW} and $3::timestamptz
    union all
    select id, null from tracking_codes
    where store_id = ${CURRENT_STORE} and code_folded = $2 and is_active
      and (starts_at is null or starts_at <= $3::timestamptz) and (ends_at is null or ends_at > $3::timestamptz)
      and not exists (select from clicks))
  select t.id, t.kind from candidates c
  join tracking_codes t on t.store_id = ${CURRENT_STORE} and t.id = c.id
  where (t.kind = 'campaign' or t.is_active)
    and (t.customer_id is null
      or (t.customer_id is distinct from $4::uuid and ${emailHashSql('t.customer_id')} is distinct from $5::bytea
        and ${isActiveSql('t.customer_id')}))
  order by c.at desc, t.id limit 1`,
}

/** The links that led to a checkout, as it reports them. */
export interface LinkTrace {
  visitorId?: string | undefined
  trackingCode?: string | undefined
}

/** The buyer. Affiliates earn nothing from their own orders. */
export interface LinkBuyer {
  customerId: string | null
  email: string
}

/**
 * Returns the campaign or affiliate for which an order counts: that of the visitor's last click within 30 days. The
 * code of the checkout counts if the visitor has no recorded click. Null if no link led to the order. It makes one
 * query, and none without a trace.
 */
export async function findWinningClick(
  tx: StoreTx,
  { visitorId, trackingCode }: LinkTrace,
  { customerId, email }: LinkBuyer,
): Promise<{ id: string; kind: TrackingKind } | null> {
  if (visitorId === undefined && trackingCode === undefined) return null
  const [source] = await tx.prepared<{ id: string; kind: TrackingKind }>(FIND_WINNING_CLICK, [
    visitorId === undefined ? null : hashVisitorId(tx.storeId, visitorId),
    trackingCode === undefined ? null : foldCase(trackingCode),
    now(),
    customerId,
    emailHash(email),
  ])
  return source ?? null
}
