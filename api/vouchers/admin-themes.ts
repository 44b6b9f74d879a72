import { Type } from 'typebox'
import { entityTag } from '#shared/platform/entity-tag.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { PlainPageQuery } from '#shared/platform/schema.ts'
import { VoucherErrors } from '#shared/vouchers/errors.ts'
import { VoucherThemeView, viewTheme } from '#shared/vouchers/theme-view.ts'
import {
  changeTheme as change,
  createTheme as create,
  findTheme,
  listThemes as list,
  deleteTheme as remove,
} from '#shared/vouchers/themes.ts'
import type { VoucherTheme } from '#shared/vouchers/voucher-theme.ts'
import { staff } from '../platform/access.ts'
import { endpoint } from '../platform/endpoint.ts'
import { page, reply } from '../platform/reply.ts'
import { themeExample as example } from './examples.ts'
import { toThemeChanges, toThemeDraft } from './read-request.ts'
import { NewThemeBody, ThemeChangesBody, ThemeParams } from './schemas.ts'

const tagged = (status: number, theme: VoucherTheme) =>
  reply(status, viewTheme(theme), { ETag: entityTag(theme) })

export const listAdminVoucherThemes = endpoint({
  method: 'get',
  path: '/admin/voucher-themes',
  access: staff('sales:read'),
  paginated: true,
  summary: 'List the themes of gift vouchers',
  query: PlainPageQuery,
  returns: [200, Type.Array(VoucherThemeView)],
  example: { data: [example] },
  async handle({ tx, query }) {
    const { results, total } = await list(tx, query)
    return page(results.map(viewTheme), total, query)
  },
})

export const createVoucherTheme = endpoint({
  method: 'post',
  path: '/admin/voucher-themes',
  access: staff('sales:write'),
  summary: 'Make a theme of gift vouchers',
  body: NewThemeBody,
  returns: [201, VoucherThemeView],
  example: { body: { name_i18n: example.name_i18n, image: example.image }, data: example },
  async handle({ tx, body }) {
    return tagged(201, await create(tx, toThemeDraft(body)))
  },
})

export const readVoucherTheme = endpoint({
  method: 'get',
  path: '/admin/voucher-themes/:id',
  access: staff('sales:read'),
  summary: 'Read a theme of gift vouchers',
  params: ThemeParams,
  returns: [200, VoucherThemeView],
  errors: [CommonErrors.notFound],
  example: { data: example },
  async handle({ tx, params }) {
    return tagged(200, await findTheme(tx, params.id))
  },
})

export const changeVoucherTheme = endpoint({
  method: 'patch',
  path: '/admin/voucher-themes/:id',
  access: staff('sales:write'),
  summary: 'Change a theme of gift vouchers',
  description: 'The vouchers that have it look like it from now on.',
  params: ThemeParams,
  body: ThemeChangesBody,
  returns: [200, VoucherThemeView],
  errors: [CommonErrors.notFound, CommonErrors.changed],
  example: { body: { image: example.image }, data: example },
  async handle({ tx, params, body, request }) {
    return tagged(200, await change(tx, params.id, toThemeChanges(body), request.headers['if-match']))
  },
})

export const deleteVoucherTheme = endpoint({
  method: 'delete',
  path: '/admin/voucher-themes/:id',
  access: staff('sales:write'),
  summary: 'Delete a theme that no gift voucher has',
  params: ThemeParams,
  returns: [200, Type.Null()],
  errors: [CommonErrors.notFound, VoucherErrors.themeInUse],
  example: { data: null },
  async handle({ tx, params }) {
    await remove(tx, params.id)
    return null
  },
})
