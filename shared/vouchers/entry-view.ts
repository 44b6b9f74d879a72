import { type Static, Type } from 'typebox'
import { Money, Nullable, Shape, Timestamp, toTimestamp, Uuid } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { ENTRY_KINDS } from './states.ts'
import type { VoucherEntry } from './voucher-entry.ts'

export const VoucherEntryView = Shape({
  id: Uuid,
  kind: Type.Enum([...ENTRY_KINDS]),
  amount: Type.Number({ description: 'Major units. Negative in an adjustment that takes away' }),
  balance: Type.Number({ ...Money, description: 'What remained after it' }),
  order_id: Nullable(Uuid),
  actor: Type.String({ description: '`staff:…`, `api_token:…` or `system`' }),
  created_at: Timestamp,
})

/** An entry of a voucher's ledger, in the voucher's currency. */
export const viewEntry = (entry: VoucherEntry, currency: string): Static<typeof VoucherEntryView> => ({
  id: entry.id,
  kind: entry.kind,
  amount: toMajor(entry.amountMinor, currency),
  balance: toMajor(entry.balanceMinor, currency),
  order_id: entry.orderId,
  actor: entry.actor,
  created_at: toTimestamp(entry.createdAt),
})
