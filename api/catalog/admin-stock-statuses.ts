import { stockStatuses } from '#shared/catalog/taxonomy/stock-status.ts'
import { NamedTermView, viewNamedTerm } from '#shared/catalog/taxonomy/view.ts'
import { termEndpoints } from './term-endpoints.ts'
import { namedExample } from './term-examples.ts'
import { CreateNamedTermRequest, UpdateNamedTermRequest } from './term-schemas.ts'

export const {
  list: listStockStatuses,
  create: createStockStatus,
  read: readStockStatus,
  update: updateStockStatus,
  remove: deleteStockStatus,
} = termEndpoints({
  path: '/admin/stock-statuses',
  audit: {
    resource: 'stock-statuses',
    create: 'postAdminStockStatuses',
    update: 'patchAdminStockStatusesStockStatusId',
    delete: 'deleteAdminStockStatusesStockStatusId',
  },
  param: 'stock_status_id',
  one: 'a stock status',
  many: 'stock statuses',
  taxonomy: stockStatuses,
  view: viewNamedTerm,
  returns: NamedTermView,
  createBody: CreateNamedTermRequest,
  updateBody: UpdateNamedTermRequest,
  inUseWhen: 'a product has it',
  example: namedExample({ en: 'Back in two weeks', de: 'In zwei Wochen wieder da' }),
})
