import type { Static } from 'typebox'
import {
  omitUndefined,
  toCamelCase,
  toDate,
  toDateIfPresent,
  toMinorIfPresent,
} from '#api/platform/input/read-fields.ts'
import { toMinor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import type { VoucherDraft } from '#shared/vouchers/issue-voucher.ts'
import type { VoucherChanges } from '#shared/vouchers/update-voucher.ts'
import type { NewVoucherBody, VoucherChangesBody } from './schemas.ts'

/** A voucher issued by hand in the domain's terms. It comes from the store itself unless the request says otherwise. */
export const toVoucherDraft = (
  { amount, expires_at, ...fields }: Static<typeof NewVoucherBody>,
  { currency, name, email }: Store,
  actor: string,
): VoucherDraft => ({
  fromName: name,
  fromEmail: email,
  ...toCamelCase(fields),
  amountMinor: toMinor(amount, currency, ['amount']),
  currency,
  expiresAt: toDate(expires_at),
  actor,
})

/** The changes that a request asks for; what it leaves out is left out. */
export const toVoucherChanges = (
  { amount, expires_at, ...fields }: Static<typeof VoucherChangesBody>,
  { currency }: Store,
): VoucherChanges =>
  omitUndefined({
    ...toCamelCase(fields),
    amountMinor: toMinorIfPresent(amount, currency, ['amount']),
    expiresAt: toDateIfPresent(expires_at),
  })
