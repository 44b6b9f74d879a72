import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { createVoucherTheme as create } from '#shared/vouchers/themes/create-voucher-theme.ts'
import { deleteVoucherTheme as remove } from '#shared/vouchers/themes/delete-voucher-theme.ts'
import { listVoucherThemes, VOUCHER_THEMES } from '#shared/vouchers/themes/list-voucher-themes.ts'
import { updateVoucherTheme as update } from '#shared/vouchers/themes/update-voucher-theme.ts'
import { findVoucherTheme, VoucherThemeView, viewVoucherTheme } from '#shared/vouchers/voucher-theme.ts'
import { themeExample as example } from './examples.ts'
import { CreateVoucherThemeRequest, ThemeParams, UpdateVoucherThemeRequest } from './schemas.ts'

const themes = new Resource({
  path: '/admin/voucher-themes',
  audit: {
    resource: 'voucher-themes',
    create: 'postAdminVoucherThemes',
    update: 'patchAdminVoucherThemesId',
    delete: 'deleteAdminVoucherThemesId',
  },
  params: ThemeParams,
  reads: staff('sales:read'),
  writes: staff('sales:write'),
  returns: VoucherThemeView,
  view: viewVoucherTheme,
  tag: entityTag,
  example,
})

export const listAdminVoucherThemes = themes.list({
  summary: 'List the themes of gift vouchers',
  query: listQuery(VOUCHER_THEMES),
  handle: ({ tx, query }) => listVoucherThemes(tx, query),
})

export const createVoucherTheme = themes.create({
  summary: 'Create a theme of gift vouchers',
  body: CreateVoucherThemeRequest,
  example: { body: { name_i18n: example.name_i18n, image: example.image } },
  handle: ({ tx, body }) => create(tx, toCamelCase(body)),
})

export const readVoucherTheme = themes.read({
  summary: 'Read a theme of gift vouchers',
  handle: ({ tx, params }) => findVoucherTheme(tx, params.id),
})

export const updateVoucherTheme = themes.update({
  summary: 'Change a theme of gift vouchers',
  description: 'Existing vouchers with this theme change, too.',
  body: UpdateVoucherThemeRequest,
  example: { body: { image: example.image } },
  handle: ({ tx, params, body, ifMatch }) => update(tx, params.id, toCamelCase(body), ifMatch),
})

export const deleteVoucherTheme = themes.delete({
  summary: 'Delete an unused theme of gift vouchers',
  errors: [VoucherErrors.themeInUse],
  handle: ({ tx, params }) => remove(tx, params.id),
})
