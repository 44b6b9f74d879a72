import { Type } from 'typebox'
import { storefront } from '#api/platform/auth/access.ts'
import { page } from '#api/platform/output/reply.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { limits } from '#api/platform/rate-limits/limits.ts'
import { PlainPageQuery } from '#shared/platform/http/query-parameters.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { listVoucherThemes as list } from '#shared/vouchers/themes/list-voucher-themes.ts'
import { VoucherBalanceView, viewBalance } from '#shared/vouchers/view.ts'
import { findVoucherByCode } from '#shared/vouchers/voucher.ts'
import { VoucherThemeView, viewVoucherTheme } from '#shared/vouchers/voucher-theme.ts'
import { balanceExample, themeExample } from './examples.ts'
import { CodeParams } from './schemas.ts'

export const listVoucherThemes = endpoint({
  method: 'get',
  path: '/voucher-themes',
  access: storefront,
  paginated: true,
  summary: 'List the themes of gift vouchers',
  query: PlainPageQuery,
  returns: [200, Type.Array(VoucherThemeView)],
  example: { data: [themeExample] },
  async handle({ tx, query }) {
    return page(await list(tx, query), query, viewVoucherTheme)
  },
})

export const readVoucherBalance = endpoint({
  method: 'get',
  path: '/vouchers/:code',
  access: storefront,
  limits: [limits.api, limits.vouchers],
  summary: 'Read the balance of a gift voucher',
  description: 'An unknown code and the code of an inactive voucher get the same response.',
  params: CodeParams,
  returns: [200, VoucherBalanceView],
  errors: [VoucherErrors.notFound],
  example: { data: balanceExample },
  async handle({ tx, params }) {
    return viewBalance(await findVoucherByCode(tx, params.code))
  },
})
