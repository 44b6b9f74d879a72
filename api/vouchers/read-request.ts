import type { Static } from 'typebox'
import {
  omitUndefined,
  toCamelCase,
  toDate,
  toDateIfPresent,
  toMinorIfPresent,
} from '#api/platform/input/request-fields.ts'
import { toMinor } from '#shared/platform/money.ts'
import type { Store } from '#shared/stores/store.ts'
import type { NewVoucher } from '#shared/vouchers/lifecycle/issue-voucher.ts'
import type { VoucherChanges } from '#shared/vouchers/lifecycle/update-voucher.ts'
import type { CreateVoucherRequest, UpdateVoucherRequest } from './schemas.ts'

/** Converts a request body to a new voucher. The default giver is the store. */
export const toNewVoucher = (
  { amount, expires_at, ...fields }: Static<typeof CreateVoucherRequest>,
  { currency, name, email }: Store,
  actor: string,
): NewVoucher => ({
  fromName: name,
  fromEmail: email,
  ...toCamelCase(fields),
  amountMinor: toMinor(amount, currency, ['amount']),
  currency,
  expiresAt: toDate(expires_at),
  actor,
})

/** Converts the changes of a request body. Absent fields stay absent. */
export const toVoucherChanges = (
  { amount, expires_at, ...fields }: Static<typeof UpdateVoucherRequest>,
  { currency }: Store,
): VoucherChanges =>
  omitUndefined({
    ...toCamelCase(fields),
    amountMinor: toMinorIfPresent(amount, currency, ['amount']),
    expiresAt: toDateIfPresent(expires_at),
  })
