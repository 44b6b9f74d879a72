import { staff } from '#api/platform/auth/access.ts'
import { listQuery } from '#api/platform/input/list-query.ts'
import { toCamelCase } from '#api/platform/input/request-fields.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { createTheme } from '#shared/vouchers/themes/create-theme.ts'
import { deleteTheme } from '#shared/vouchers/themes/delete-theme.ts'
import { listThemes, THEMES } from '#shared/vouchers/themes/list-themes.ts'
import { updateTheme } from '#shared/vouchers/themes/update-theme.ts'
import { findTheme, VoucherThemeView, viewTheme } from '#shared/vouchers/voucher-theme.ts'
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
  view: viewTheme,
  tag: entityTag,
  example,
})

export const listAdminVoucherThemes = themes.list({
  summary: 'List the themes of gift vouchers',
  query: listQuery(THEMES),
  handle: ({ tx, query }) => listThemes(tx, query),
})

export const createVoucherTheme = themes.create({
  summary: 'Create a theme of gift vouchers',
  body: CreateVoucherThemeRequest,
  example: { body: { name_i18n: example.name_i18n, image: example.image } },
  handle: ({ tx, body }) => createTheme(tx, toCamelCase(body)),
})

export const readVoucherTheme = themes.read({
  summary: 'Read a theme of gift vouchers',
  handle: ({ tx, params }) => findTheme(tx, params.id),
})

export const updateVoucherTheme = themes.update({
  summary: 'Change a theme of gift vouchers',
  description: 'Existing vouchers with this theme change, too.',
  body: UpdateVoucherThemeRequest,
  example: { body: { image: example.image } },
  handle: ({ tx, params, body, ifMatch }) => updateTheme(tx, params.id, toCamelCase(body), ifMatch),
})

export const deleteVoucherTheme = themes.delete({
  summary: 'Delete an unused theme of gift vouchers',
  errors: [VoucherErrors.themeInUse],
  handle: ({ tx, params }) => deleteTheme(tx, params.id),
})
