import { manufacturers } from '#shared/catalog/taxonomy/manufacturer.ts'
import { ManufacturerView, viewManufacturer } from '#shared/catalog/taxonomy/view.ts'
import { termEndpoints } from './term-endpoints.ts'
import { manufacturerExample } from './term-examples.ts'
import { CreateManufacturerRequest, UpdateManufacturerRequest } from './term-schemas.ts'

export const {
  list: listManufacturers,
  create: createManufacturer,
  read: readManufacturer,
  update: updateManufacturer,
  remove: deleteManufacturer,
} = termEndpoints({
  path: '/admin/manufacturers',
  audit: {
    resource: 'manufacturers',
    create: 'postAdminManufacturers',
    update: 'patchAdminManufacturersManufacturerId',
    delete: 'deleteAdminManufacturersManufacturerId',
  },
  param: 'manufacturer_id',
  one: 'a manufacturer',
  many: 'manufacturers',
  taxonomy: manufacturers,
  view: viewManufacturer,
  returns: ManufacturerView,
  createBody: CreateManufacturerRequest,
  updateBody: UpdateManufacturerRequest,
  inUseWhen: 'a product is made by it',
  example: manufacturerExample,
})
