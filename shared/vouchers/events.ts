import { defineEvent } from '../platform/events.ts'
import { VoucherView } from './view.ts'

export const voucherIssued = defineEvent(
  'voucher.issued',
  'A gift voucher can be spent from now on: issued by hand, or bought and paid',
  VoucherView,
)
