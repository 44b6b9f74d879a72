import { attributeGroups, attributes } from '#shared/catalog/taxonomy/attribute.ts'
import { categories } from '#shared/catalog/taxonomy/category.ts'
import { manufacturers } from '#shared/catalog/taxonomy/manufacturer.ts'
import { stockStatuses } from '#shared/catalog/taxonomy/stock-status.ts'
import {
  AttributeView,
  CategoryView,
  ManufacturerView,
  NamedTermView,
  viewAttribute,
  viewCategory,
  viewManufacturer,
  viewNamedTerm,
} from '#shared/catalog/taxonomy/view.ts'
import { attributeExample, categoryExample, manufacturerExample, namedExample } from './examples.ts'
import {
  CreateAttributeRequest,
  CreateCategoryRequest,
  CreateManufacturerRequest,
  CreateNamedTermRequest,
  UpdateAttributeRequest,
  UpdateCategoryRequest,
  UpdateManufacturerRequest,
  UpdateNamedTermRequest,
} from './schemas.ts'
import { termEndpoints } from './term-endpoints.ts'

export const [listGroups, createGroup, readGroup, updateGroup, deleteGroup] = termEndpoints({
  path: 'attribute-groups',
  audit: {
    resource: 'attribute-groups',
    create: 'postAdminAttributeGroups',
    update: 'patchAdminAttributeGroupsGroupId',
    delete: 'deleteAdminAttributeGroupsGroupId',
  },
  param: 'group_id',
  one: 'an attribute group',
  many: 'attribute groups',
  taxonomy: attributeGroups,
  view: viewNamedTerm,
  returns: NamedTermView,
  create: CreateNamedTermRequest,
  update: UpdateNamedTermRequest,
  usedBy: 'it holds attributes',
  example: namedExample({ en: 'Fabric', de: 'Stoff' }),
})

export const [listAttributes, createAttribute, readAttribute, updateAttribute, deleteAttribute] =
  termEndpoints({
    path: 'attributes',
    audit: {
      resource: 'attributes',
      create: 'postAdminAttributes',
      update: 'patchAdminAttributesAttributeId',
      delete: 'deleteAdminAttributesAttributeId',
    },
    param: 'attribute_id',
    one: 'an attribute',
    many: 'attributes',
    taxonomy: attributes,
    view: viewAttribute,
    returns: AttributeView,
    create: CreateAttributeRequest,
    update: UpdateAttributeRequest,
    usedBy: 'a product has a value of it',
    example: attributeExample,
  })

export const [
  listManufacturers,
  createManufacturer,
  readManufacturer,
  updateManufacturer,
  deleteManufacturer,
] = termEndpoints({
  path: 'manufacturers',
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
  create: CreateManufacturerRequest,
  update: UpdateManufacturerRequest,
  usedBy: 'a product is made by it',
  example: manufacturerExample,
})

export const [listStatuses, createStatus, readStatus, updateStatus, deleteStatus] = termEndpoints({
  path: 'stock-statuses',
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
  create: CreateNamedTermRequest,
  update: UpdateNamedTermRequest,
  usedBy: 'a product has it',
  example: namedExample({ en: 'Back in two weeks', de: 'In zwei Wochen wieder da' }),
})

export const [listCategories, createCategory, readCategory, updateCategory, deleteCategory] = termEndpoints({
  path: 'categories',
  audit: {
    resource: 'categories',
    create: 'postAdminCategories',
    update: 'patchAdminCategoriesCategoryId',
    delete: 'deleteAdminCategoriesCategoryId',
  },
  param: 'category_id',
  one: 'a category',
  many: 'categories',
  taxonomy: categories,
  view: viewCategory,
  returns: CategoryView,
  create: CreateCategoryRequest,
  update: UpdateCategoryRequest,
  usedBy: 'it holds categories or products',
  example: categoryExample,
})
