import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { type MetadataChange, mergeMetadata } from '#shared/platform/http/metadata.ts'
import { now } from '#shared/platform/time/clock.ts'
import { bookVoucherEntry } from '#shared/vouchers/book-voucher-entry.ts'
import { newCode } from '#shared/vouchers/codes/code.ts'
import { sealCode } from '#shared/vouchers/codes/sealed-code.ts'
import { toVoucherError } from '#shared/vouchers/errors.ts'
import { emitIssued } from '#shared/vouchers/events.ts'
import { findVoucher, Voucher, type VoucherWithTheme } from '#shared/vouchers/voucher.ts'
import { indexNewVouchers } from '#shared/vouchers/voucher-words.ts'

/** The input of a new voucher. The amount is in minor units of `currency`, the store's currency. */
export interface NewVoucher {
  amountMinor: bigint
  currency: string
  toName: string
  toEmail: string
  fromName: string
  fromEmail: string
  message?: string
  voucherThemeId?: string | null
  /** The order that it is issued for. */
  orderId?: string | null
  /** A random code by default. */
  code?: string
  /** The language of its mail (BCP 47). Default: the store's. */
  language?: string | null
  expiresAt?: Date | null
  isActive?: boolean
  metadata?: MetadataChange
  /** `staff:…`, or `system` by default. */
  actor?: string
}

/**
 * Issues a gift voucher: inserts it with the first entry of its ledger, and emits `voucher.issued`. `mailVoucher` mails
 * it. Throws `voucher.code_taken`, and `validation.failed` for an unknown order or theme.
 */
export async function issueVoucher(tx: StoreTx, draft: NewVoucher): Promise<VoucherWithTheme> {
  const { id } = await insertVoucher(tx, draft)
  const whole = await findVoucher(tx, id)
  if (whole.voucher.isActive) await emitIssued(tx, whole)
  return whole
}

interface Purchase {
  orderItemId?: string
  awaitsPayment?: boolean
}

const DEFAULTS = {
  message: '',
  language: null,
  voucherThemeId: null,
  orderId: null,
  orderItemId: null,
  awaitsPayment: false,
  isActive: true,
  isDisputed: false,
  expiresAt: null,
}

/** Inserts a voucher as `insertVouchers` does. */
export async function insertVoucher(tx: StoreTx, draft: NewVoucher & Purchase): Promise<Voucher> {
  const [voucher] = await insertVouchers(tx, [draft])
  return voucher as Voucher
}

/** Inserts vouchers with their words and the first entries of their ledgers, without an event. */
export async function insertVouchers(
  tx: StoreTx,
  drafts: readonly (NewVoucher & Purchase)[],
): Promise<Voucher[]> {
  const vouchers: Voucher[] = []
  for (const draft of drafts) vouchers.push(await insertRow(tx, draft))
  await indexNewVouchers(tx, vouchers)
  return vouchers
}

async function insertRow(
  tx: StoreTx,
  { amountMinor, actor, code = newCode(), ...given }: NewVoucher & Purchase,
): Promise<Voucher> {
  const at = now()
  const id = newId()
  const voucher = await Voucher.in(tx)
    .insert({
      id,
      ...DEFAULTS,
      ...given,
      metadata: mergeMetadata({}, given.metadata),
      ...(await sealCode(tx, id, code)),
      createdAt: at,
      updatedAt: at,
    })
    .catch((error) => {
      throw toVoucherError(error)
    })
  await bookVoucherEntry(tx, {
    voucherId: voucher.id,
    kind: 'issue',
    amountMinor,
    ...(actor ? { actor } : {}),
  })
  return voucher
}
